const GAP = 4;
const MARGIN = 8;

/** Places a floating element next to its anchor, on the side with room, entirely within the window. */
export function placeBeside(
  anchor: Element,
  floating: HTMLElement,
  wish: 'below' | 'above',
  align: 'start' | 'end' | 'middle' = wish === 'above' ? 'middle' : 'start',
): void {
  const place = anchor.getBoundingClientRect();
  const size = floating.getBoundingClientRect();
  const room = { below: window.innerHeight - place.bottom, above: place.top };
  const other = wish === 'below' ? 'above' : 'below';
  const side = room[wish] < size.height + GAP + MARGIN && room[other] > room[wish] ? other : wish;
  const top = side === 'below' ? place.bottom + GAP : place.top - size.height - GAP;
  const left =
    align === 'start'
      ? place.left
      : align === 'end'
        ? place.right - size.width
        : place.left + (place.width - size.width) / 2;
  floating.style.top = `${Math.max(MARGIN, Math.min(top, window.innerHeight - size.height - MARGIN))}px`;
  floating.style.left = `${Math.max(MARGIN, Math.min(left, window.innerWidth - size.width - MARGIN))}px`;
}
