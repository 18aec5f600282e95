import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Layout } from './layout';
import { opened, zoomed, type Size, type View } from './view';

const WHEEL_STEP = 0.0016;
const DRAG_AFTER = 4;

export interface Viewing {
  view: View;
  size: Size;
  look: (change: (view: View, size: Size) => View) => void;
  /** Moves the view without a user action: the view continues to fit itself to the window. */
  show: (change: (view: View, size: Size) => View) => void;
}

/** Pan by wheel or by dragging the background, zoom by Ctrl and wheel or by pinching. */
export function useView(frame: RefObject<HTMLDivElement>, layout: Layout): Viewing {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  const placed = useRef(false);
  /** True once the user has moved the view; until then it follows the size of the window. */
  const touched = useRef(false);
  const width = useRef(0);
  const sizeNow = useRef(size);
  sizeNow.current = size;
  useEffect(() => {
    const element = frame.current!;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    setSize({ width: element.clientWidth, height: element.clientHeight });
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (size.width > 0 && (!placed.current || !touched.current)) {
      placed.current = true;
      setView(opened(layout, size));
    } else if (placed.current) {
      // Keeps the middle of the view in place when a side panel opens.
      const moved = (size.width - width.current) / 2;
      setView((now) => ({ ...now, x: now.x + moved }));
    }
    width.current = size.width;
  }, [size.width]);
  // Steps to the left of the trigger shift its axis: move the view, so that the trigger stays in place on screen.
  const axis = layout.cards[0]!.x + layout.cards[0]!.width / 2;
  const before = useRef(axis);
  if (before.current !== axis) {
    const moved = axis - before.current;
    before.current = axis;
    setView((now) => ({ ...now, x: now.x - moved * now.scale }));
  }
  const change = (next: (view: View) => View): void => {
    touched.current = true;
    setView(next);
  };
  useEffect(() => listen(frame.current!, change), []);
  return {
    view,
    size,
    look: (next) => change((now) => next(now, sizeNow.current)),
    show: (next) => setView((now) => next(now, sizeNow.current)),
  };
}

type Change = (change: (view: View) => View) => void;

function listen(element: HTMLElement, change: Change): () => void {
  const fingers = new Map<number, { x: number; y: number }>();
  let dragging = false;
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    const frame = element.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey) {
      change((view) =>
        zoomed(view, Math.exp(-event.deltaY * unit * WHEEL_STEP * 2), event.clientX - frame.x, event.clientY - frame.y),
      );
    } else {
      const [dx, dy] = event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      change((view) => ({ ...view, x: view.x - dx * unit, y: view.y - dy * unit }));
    }
  };
  const onDown = (event: PointerEvent): void => {
    const onGround = !(event.target as Element).closest('button, a, input, textarea, [data-solid]');
    if (onGround || event.pointerType === 'touch' || event.button === 1) {
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      dragging = false;
    }
  };
  const onMove = (event: PointerEvent): void => {
    const finger = fingers.get(event.pointerId);
    if (!finger) {
      return;
    }
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    if (!dragging && Math.hypot(dx, dy) < DRAG_AFTER) {
      return;
    }
    if (!dragging) {
      dragging = true;
      element.setPointerCapture(event.pointerId);
      element.dataset['dragging'] = 'true';
    }
    const other = [...fingers.entries()].find(([id]) => id !== event.pointerId)?.[1];
    const frame = element.getBoundingClientRect();
    if (other) {
      const apart = (x: number, y: number): number => Math.max(1, Math.hypot(x - other.x, y - other.y));
      const factor = apart(event.clientX, event.clientY) / apart(finger.x, finger.y);
      change((view) =>
        zoomed(view, factor, (event.clientX + other.x) / 2 - frame.x, (event.clientY + other.y) / 2 - frame.y),
      );
    } else {
      change((view) => ({ ...view, x: view.x + dx, y: view.y + dy }));
    }
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const onUp = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    delete element.dataset['dragging'];
  };
  element.addEventListener('wheel', onWheel, { passive: false });
  element.addEventListener('pointerdown', onDown);
  element.addEventListener('pointermove', onMove);
  element.addEventListener('pointerup', onUp);
  element.addEventListener('pointercancel', onUp);
  return () => {
    element.removeEventListener('wheel', onWheel);
    element.removeEventListener('pointerdown', onDown);
    element.removeEventListener('pointermove', onMove);
    element.removeEventListener('pointerup', onUp);
    element.removeEventListener('pointercancel', onUp);
  };
}
