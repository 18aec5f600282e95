import { equal, holds, test } from '../../base/testing';
import type { Step } from '../steps';
import { layOut, type Layout } from './layout';
import { fitted, showing, withSlots, zoomed } from './view';

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

const step = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  type: 'CODE',
  displayName: name,
  valid: true,
  settings: {},
  ...more,
});
const loop = step('loop', { type: 'LOOP_ON_ITEMS', firstLoopAction: step('inner') });
const router = step('router', {
  type: 'ROUTER',
  children: [loop, null],
  settings: { branches: ['yes', 'no'].map((branchName) => ({ branchName, branchType: 'CONDITION' as const })) },
});

test('a card is shown together with the places to add a step after it and after each step around it', () => {
  const built = layOut(step('trigger', { type: 'PIECE_TRIGGER', nextAction: router }));
  const card = built.cards.find((each) => each.step.name === 'inner')!;
  const below = { x: 0, y: -card.y + room.height - 60, scale: 1 };
  const view = showing(below, withSlots(built, card, below, room), room);
  const seen = (y: number): boolean => view.y + y > 0 && view.y + y < room.height - 40;
  holds(seen(card.y), 'the card');
  for (const parent of ['inner', 'loop', 'router']) {
    const slot = built.slots.find(({ place }) => place.parent === parent && place.location === 'AFTER')!;
    holds(seen(slot.y), parent);
  }
});

test('a card stays visible where the places around it do not fit', () => {
  const built = layOut(step('trigger', { type: 'PIECE_TRIGGER', nextAction: router }));
  const card = built.cards.find((each) => each.step.name === 'router')!;
  const small = { width: 400, height: 240 };
  const start = { x: 0, y: 0, scale: 1 };
  const view = showing(start, withSlots(built, card, start, small), small);
  holds(view.y + card.y >= 0 && view.y + card.y + card.height <= small.height, `${view.y}`);
});
