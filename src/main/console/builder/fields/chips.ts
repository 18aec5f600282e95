import { partsOf, type Resolution } from '../data/references';
import { wordsOf } from '../data/words';

/** Elements are created one by one, never from HTML. */

function chip(token: string, resolved: Resolution): HTMLElement {
  const element = document.createElement('span');
  element.className = resolved.problem ? 'chip broken' : 'chip';
  element.contentEditable = 'false';
  element.dataset['token'] = token;
  element.title = resolved.problem ? wordsOf(resolved.problem) : token;
  element.textContent = resolved.label;
  return element;
}

export function render(editor: HTMLElement, text: string, resolve: (token: string) => Resolution): void {
  if (
    serialize(editor) === text &&
    !partsOf(text).some((part) => part.kind === 'token') &&
    editor.childNodes.length <= 1
  ) {
    return;
  }
  editor.replaceChildren(
    ...partsOf(text).map((part) =>
      part.kind === 'token' ? chip(part.text, resolve(part.text)) : document.createTextNode(part.text),
    ),
  );
}

export function serialize(node: Node): string {
  let text = '';
  node.childNodes.forEach((child, index) => {
    if (child.nodeType === Node.TEXT_NODE) {
      text += child.textContent ?? '';
    } else if (child instanceof HTMLElement) {
      if (child.dataset['token'] !== undefined) {
        text += child.dataset['token'];
      } else if (child.tagName === 'BR') {
        text += index === node.childNodes.length - 1 ? '' : '\n';
      } else {
        text += (child.tagName === 'DIV' && text !== '' ? '\n' : '') + serialize(child);
      }
    }
  });
  return text.replaceAll('\u00a0', ' ');
}

/** Inserts a chip at the caret, or at the end. */
export function insertToken(editor: HTMLElement, token: string, resolve: (token: string) => Resolution): void {
  const selection = getSelection();
  const range =
    selection && selection.rangeCount > 0 && editor.contains(selection.anchorNode)
      ? selection.getRangeAt(0)
      : undefined;
  const element = chip(token, resolve(token));
  if (range) {
    range.deleteContents();
    range.insertNode(element);
    range.setStartAfter(element);
    range.collapse(true);
  } else {
    editor.append(element);
  }
}

export const REFERENCE = 'text/x-reference';

export const chipsOf = (editor: HTMLElement): HTMLElement[] => [
  ...editor.querySelectorAll<HTMLElement>('[data-token]'),
];

/** Sets the caret to the drop position; to the end if the browser cannot determine it. */
export function caretAtPoint(editor: HTMLElement, x: number, y: number): void {
  editor.focus();
  const range = document.caretRangeFromPoint(x, y);
  if (range && editor.contains(range.startContainer)) {
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
  } else {
    caretAtEnd(editor);
  }
}

/**
 * Removes the completed word before the caret.
 *
 * @param letters length of the word; without it, everything from the last `{{` on is removed
 */
export function dropAsked(editor: HTMLElement, letters?: number): void {
  const selection = getSelection();
  const node = selection?.anchorNode;
  if (!selection || !node || node.nodeType !== Node.TEXT_NODE || !editor.contains(node)) {
    return;
  }
  const text = node.textContent ?? '';
  const start =
    letters === undefined ? text.lastIndexOf('{{', selection.anchorOffset) : selection.anchorOffset - letters;
  if (start >= 0) {
    node.textContent = text.slice(0, start) + text.slice(selection.anchorOffset);
    selection.collapse(node, start);
  }
}

export function beforeCaret(editor: HTMLElement): string {
  const selection = getSelection();
  const node = selection?.anchorNode;
  return selection && node && node.nodeType === Node.TEXT_NODE && editor.contains(node)
    ? (node.textContent ?? '').slice(0, selection.anchorOffset)
    : '';
}

export function caretAtEnd(editor: HTMLElement): void {
  const range = document.createRange();
  range.selectNodeContents(editor);
  range.collapse(false);
  getSelection()?.removeAllRanges();
  getSelection()?.addRange(range);
}
