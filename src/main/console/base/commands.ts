import { useEffect } from 'preact/hooks';
import { createStore } from './store';
import type { IconName } from './components/Icon';
import { handles, type KeyPress } from './keymap';
import { may, type Permission } from './permissions';
import { trackResult } from './working';

export interface Command {
  id: string;
  label: string;
  icon?: IconName;
  /** As `Ctrl+K` or `g f` (one after the other). */
  keys?: string;
  /** Further search terms. */
  words?: string;
  group?: string;
  /** Permission that the role in the project must have. */
  needs?: Permission;
  /** The command is offered only while this returns true. */
  when?: () => boolean;
  /** The progress line is shown until a returned promise is settled. */
  perform: () => unknown;
}

/** Search of the palette by name. The signal aborts when the query changes; the result is then ignored. */
export type Seeker = (typed: string, signal: AbortSignal) => Promise<Command[]>;

export const seeker = createStore<Seeker>(() => Promise.resolve([]));

/** Commands that the palette lists while the query is empty. */
export const first = createStore<() => Command[]>(() => []);

export function useSeeker(own: Seeker, dependencies: unknown[]): void {
  useEffect(() => seeker.set(own), dependencies);
}

export const commands = createStore<Command[]>([]);

/** Later registrations take precedence for equal keys. */
export function useCommands(own: Command[], dependencies: unknown[] = []): void {
  useEffect(() => {
    commands.update((all) => [...all, ...own]);
    return () => commands.update((all) => all.filter((command) => !own.includes(command)));
  }, dependencies);
}

export const offered = (): Command[] =>
  commands.get().filter((command) => may(command.needs) && (command.when?.() ?? true));

let pending = '';

/** Keys typed into a field are not commands, except with a modifier. The target of an event from a shadow root is its host, which is no field. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    const press: KeyPress = {
      key: event.key,
      ctrl: event.ctrlKey || event.metaKey,
      alt: event.altKey,
      shift: event.shiftKey,
    };
    if (event.defaultPrevented || (isTyping(event) && !press.ctrl) || document.querySelector('dialog[open]')) {
      pending = '';
      return;
    }
    for (const command of offered().reverse()) {
      const outcome = command.keys ? handles(command.keys, pending, press) : 'no';
      if (outcome === 'yes') {
        event.preventDefault();
        pending = '';
        trackResult(command.perform());
        return;
      }
    }
    const begins = offered().some((command) => command.keys && handles(command.keys, '', press) === 'begins');
    pending = begins ? press.key.toLowerCase() : '';
  });
}
