import type { Box, Layout } from './layout';

/** What of the drawing is seen: where its origin is, in pixels of the window, and how large it is drawn. */
export interface View { x: number; y: number; scale: number }

export const SCALE_MIN = 0.2;
export const SCALE_MAX = 2;
const FIT_MARGIN = 24;
const TOP_MARGIN = 16;

export interface Size { width: number; height: number }

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Draws larger or smaller around a point that stays where it is. */
export function zoomed(view: View, factor: number, x: number, y: number): View {
  const scale = clamp(view.scale * factor, SCALE_MIN, SCALE_MAX);
  const grown = scale / view.scale;
  return { scale, x: x - (x - view.x) * grown, y: y - (y - view.y) * grown };
}

/** Everything at once, never enlarged. */
export function fitted(layout: Layout, size: Size): View {
  const scale = clamp(Math.min((size.width - 2 * FIT_MARGIN) / layout.width, (size.height - 2 * FIT_MARGIN) / layout.height, 1), SCALE_MIN, 1);
  return { scale, x: (size.width - layout.width * scale) / 2, y: Math.max(FIT_MARGIN, (size.height - layout.height * scale) / 2) };
}

/** Below this width a drawing may begin smaller, so that branches are not cut off. */
const NARROW = 720;

/** The trigger at the top; as wide as there is room, at a size that can be read. */
export function opened(layout: Layout, size: Size): View {
  const trigger = layout.cards[0]!;
  const scale = clamp(size.width / layout.width, size.width < NARROW ? 0.55 : 0.8, 1);
  return { scale, x: size.width / 2 - (trigger.x + trigger.width / 2) * scale, y: TOP_MARGIN - trigger.y * scale + FIT_MARGIN };
}

/** Moves as little as it takes to show a box whole. */
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

/** The part of the drawing that is seen, and a little more. */
export function seenOf(view: View, size: Size): Box {
  const more = 120;
  return {
    x: (-view.x - more) / view.scale, y: (-view.y - more) / view.scale,
    width: (size.width + 2 * more) / view.scale, height: (size.height + 2 * more) / view.scale,
  };
}
