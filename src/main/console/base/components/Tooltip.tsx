import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { placeBeside } from './placement';

/** Tooltip on hover and focus. It repeats the accessible name and therefore has no role. */
export function Tooltip({ text, shortcut, children }: { text: string; shortcut?: string; children: VNode }) {
  const [shown, show] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const tip = (element: HTMLSpanElement | null): void => {
    if (element && anchor.current) {
      element.showPopover();
      placeBeside(anchor.current.firstElementChild ?? anchor.current, element, 'above');
    }
  };
  return (
    <span
      ref={anchor}
      class="row"
      onPointerEnter={(event) => event.pointerType === 'mouse' && show(true)}
      onPointerLeave={() => show(false)}
      onFocusIn={(event) => event.target instanceof Element && event.target.matches(':focus-visible') && show(true)}
      onFocusOut={() => show(false)}
      onKeyDown={(event) => event.key === 'Escape' && show(false)}
      onPointerDown={() => show(false)}
    >
      {children}
      {shown ? (
        <span class="tooltip" popover="manual" ref={tip} aria-hidden="true">
          {text}{shortcut ? ` (${shortcut})` : ''}
        </span>
      ) : null}
    </span>
  );
}
