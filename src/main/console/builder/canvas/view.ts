import type { Box, Card, Layout } from './layout';

/** Visible part of the canvas: position of its origin in window pixels, and scale. */
export interface View {
  x: number;
  y: number;
  scale: number;
}

export const SCALE_MIN = 0.2;
/** Smallest scale that shows a whole flow; zooming by hand ends earlier. */
const FIT_SCALE_MIN = 0.04;
export const SCALE_MAX = 2;
const FIT_MARGIN = 24;
const TOP_MARGIN = 16;

export interface Size {
  width: number;
  height: number;
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

export function zoomed(view: View, factor: number, x: number, y: number): View {
  const scale = clamp(view.scale * factor, Math.min(view.scale, SCALE_MIN), SCALE_MAX);
  const grown = scale / view.scale;
  return { scale, x: x - (x - view.x) * grown, y: y - (y - view.y) * grown };
}

/** View of the whole flow at a scale of at most 1. */
export function fitted(layout: Layout, size: Size): View {
  const scale = clamp(
    Math.min((size.width - 2 * FIT_MARGIN) / layout.width, (size.height - 2 * FIT_MARGIN) / layout.height, 1),
    FIT_SCALE_MIN,
    1,
  );
  return {
    scale,
    x: (size.width - layout.width * scale) / 2,
    y: Math.max(FIT_MARGIN, (size.height - layout.height * scale) / 2),
  };
}

/** Below this window width the initial scale may be smaller, so that branches are not cut off. */
const NARROW = 720;

export function opened(layout: Layout, size: Size): View {
  const trigger = layout.cards[0]!;
  const scale = clamp(size.width / layout.width, size.width < NARROW ? 0.55 : 0.8, 1);
  return {
    scale,
    x: size.width / 2 - (trigger.x + trigger.width / 2) * scale,
    y: TOP_MARGIN - trigger.y * scale + FIT_MARGIN,
  };
}

/** Smallest move that makes a box fully visible. */
export function showing(view: View, box: Box, size: Size): View {
  const shift = (at: number, length: number, room: number): number => {
    const low = FIT_MARGIN * 2;
    if (at < low) {
      return low - at;
    }
    return at + length > room - low ? Math.min(room - low - at - length, 0) : 0;
  };
  return {
    ...view,
    x: view.x + shift(view.x + box.x * view.scale, box.width * view.scale, size.width),
    y: view.y + shift(view.y + box.y * view.scale, box.height * view.scale, size.height),
  };
}

const SLOT_RADIUS = 12;

/** A card with the places to add a step after it and after the steps around it, nearest first, as far as they fit. */
export function withSlots(layout: Layout, card: Card, { scale }: View, size: Size): Box {
  const room = { width: size.width / scale - 4 * FIT_MARGIN, height: size.height / scale - 4 * FIT_MARGIN };
  const around = enclosing(layout, card);
  return layout.slots
    .filter(({ place }) => place.parent === card.step.name || (place.location === 'AFTER' && around.has(place.parent)))
    .sort((one, other) => Math.abs(one.y - card.y) - Math.abs(other.y - card.y))
    .reduce<Box>((box, slot) => {
      const grown = union(box, slot);
      return grown.width <= room.width && grown.height <= room.height ? grown : box;
    }, card);
}

function enclosing(layout: Layout, card: Card): Set<string> {
  const names = new Set<string>();
  for (let place = card.place; place; ) {
    const { parent, location } = place;
    if (location !== 'AFTER') {
      names.add(parent);
    }
    place = layout.cards.find((each) => each.step.name === parent)?.place;
  }
  return names;
}

function union(box: Box, slot: { x: number; y: number }): Box {
  const x = Math.min(box.x, slot.x - SLOT_RADIUS);
  const y = Math.min(box.y, slot.y - SLOT_RADIUS);
  return {
    x,
    y,
    width: Math.max(box.x + box.width, slot.x + SLOT_RADIUS) - x,
    height: Math.max(box.y + box.height, slot.y + SLOT_RADIUS) - y,
  };
}

export function seenOf(view: View, size: Size): Box {
  const more = 120;
  return {
    x: (-view.x - more) / view.scale,
    y: (-view.y - more) / view.scale,
    width: (size.width + 2 * more) / view.scale,
    height: (size.height + 2 * more) / view.scale,
  };
}
