import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { placeBeside } from './placement';

/** Tooltip on hover and focus. It repeats the accessible name and therefore has no role. */
export function Tooltip({ text, shortcut, children }: { text: string; shortcut?: string; children: VNode }) {
  const [shown, setShown] = useState(false);
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
      onPointerEnter={(event) => event.pointerType === 'mouse' && setShown(true)}
      onPointerLeave={() => setShown(false)}
      onFocusIn={(event) => event.target instanceof Element && event.target.matches(':focus-visible') && setShown(true)}
      onFocusOut={() => setShown(false)}
      onKeyDown={(event) => event.key === 'Escape' && setShown(false)}
      onPointerDown={() => setShown(false)}>
      {children}
      {shown ? (
        <span class="tooltip" popover="manual" ref={tip} aria-hidden="true">
          {text}
          {shortcut ? ` (${shortcut})` : ''}
        </span>
      ) : null}
    </span>
  );
}
