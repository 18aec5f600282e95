import { equal, holds, test } from '../../base/testing';
import type { Layout } from './layout';
import { fitted, zoomed } from './view';

const layout = (width: number, height: number): Layout => ({
  width,
  height,
  cards: [],
  boxes: [],
  lines: [],
  labels: [],
  slots: [],
});
const room = { width: 1_000, height: 800 };

test('the whole flow is shown, also one of a hundred steps', () => {
  const view = fitted(layout(400, 12_000), room);
  holds(view.y >= 0 && view.y + 12_000 * view.scale <= room.height, `${view.y}, ${view.scale}`);
  equal(fitted(layout(400, 300), room).scale, 1);
});

test('zooming leaves a small view by steps, and makes it no smaller', () => {
  const small = { x: 0, y: 0, scale: 0.08 };
  equal(zoomed(small, 0.5, 0, 0).scale, 0.08);
  equal(zoomed(small, 1.25, 0, 0).scale, 0.1);
  equal(zoomed({ ...small, scale: 0.3 }, 0.5, 0, 0).scale, 0.2);
});
