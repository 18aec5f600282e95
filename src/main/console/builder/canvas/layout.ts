import { innerOf, type Place, type Step } from '../steps';

/** Sizes in pixels at scale 1. */
export const CARD_HEIGHT = 60;
/** One width for all cards: a name of about 20 characters, with the logo and a mark. */
export const CARD_WIDTH = 264;
const GAP = 56;
const BRANCH_GAP = 40;
const BRANCH_HEAD = 88;
const BRANCH_FOOT = 36;
const BRANCH_MIN = 180;
const LABEL_FROM_TOP = 46;
const LOOP_PADDING = 28;
const LOOP_HEAD = 64;
const ROUND = 10;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface Card extends Box {
  step: Step;
  number: number;
  place: Place | undefined;
}
export interface Line extends Box {
  path: string;
}
export interface Slot {
  x: number;
  y: number;
  place: Place;
  last: boolean;
}
export interface Label {
  x: number;
  y: number;
  step: Step;
  place: Place;
}
export interface LoopBox extends Box {
  step: Step;
}

export interface Layout {
  width: number;
  height: number;
  cards: Card[];
  lines: Line[];
  slots: Slot[];
  labels: Label[];
  boxes: LoopBox[];
}

/** Extent of a part to the left and right of its axis, and its height. */
interface Extent {
  left: number;
  right: number;
  height: number;
}
interface Part extends Extent {
  draw: (x: number, y: number) => void;
}

function line(layout: Layout, x: number, y: number, toX: number, toY: number, bendAt: number): void {
  const turn = Math.sign(toX - x) * Math.min(ROUND, Math.abs(toX - x) / 2);
  const path =
    turn === 0
      ? `M${x} ${y}V${toY}`
      : `M${x} ${y}V${bendAt - ROUND}Q${x} ${bendAt} ${x + turn} ${bendAt}H${toX - turn}Q${toX} ${bendAt} ${toX} ${bendAt + ROUND}V${toY}`;
  layout.lines.push({ path, x: Math.min(x, toX), y, width: Math.abs(toX - x), height: toY - y });
}

/** Sequence from its first step on; `place` is the place of that step. */
function sequence(layout: Layout, head: Step | undefined, place: Place): Part {
  const parts: Array<{ part: Part; place: Place }> = [];
  let at = place;
  for (let step = head; step; step = step.nextAction) {
    parts.push({ part: block(layout, step, at), place: at });
    at = { parent: step.name, location: 'AFTER' };
  }
  const end = at;
  return {
    left: Math.max(0, ...parts.map(({ part }) => part.left)),
    right: Math.max(0, ...parts.map(({ part }) => part.right)),
    height: parts.reduce((sum, { part }) => sum + part.height + GAP, GAP),
    draw: (x, y) => {
      let top = y;
      for (const { part, place: where } of parts) {
        line(layout, x, top, x, top + GAP, 0);
        layout.slots.push({ x, y: top + GAP / 2, place: where, last: false });
        part.draw(x, top + GAP);
        top += GAP + part.height;
      }
      line(layout, x, top, x, top + GAP, 0);
      layout.slots.push({ x, y: top + GAP / 2, place: end, last: true });
    },
  };
}

function block(layout: Layout, step: Step, place: Place | undefined): Part {
  const inner = innerOf(step);
  const card = (x: number, y: number): void => {
    layout.cards.push({
      x: x - CARD_WIDTH / 2,
      y,
      width: CARD_WIDTH,
      height: CARD_HEIGHT,
      step,
      number: layout.cards.length + 1,
      place,
    });
  };
  const own: Part = { left: CARD_WIDTH / 2, right: CARD_WIDTH / 2, height: CARD_HEIGHT, draw: card };
  if (step.type === 'LOOP_ON_ITEMS') {
    return loop(layout, step, own);
  }
  return inner.length === 0 ? own : branches(layout, step, own);
}

function loop(layout: Layout, step: Step, own: Part): Part {
  const { place, head } = innerOf(step)[0]!;
  const body = sequence(layout, head, place);
  const half = (part: Extent): Extent => ({
    ...part,
    left: Math.max(part.left, BRANCH_MIN / 2),
    right: Math.max(part.right, BRANCH_MIN / 2),
  });
  const { left, right } = half(body);
  const boxHeight = LOOP_HEAD - GAP / 2 + body.height;
  return {
    left: Math.max(own.left, left + LOOP_PADDING),
    right: Math.max(own.right, right + LOOP_PADDING),
    height: CARD_HEIGHT + GAP / 2 + boxHeight,
    draw: (x, y) => {
      own.draw(x, y);
      const top = y + CARD_HEIGHT + GAP / 2;
      layout.boxes.push({
        x: x - left - LOOP_PADDING,
        y: top,
        width: left + right + 2 * LOOP_PADDING,
        height: boxHeight,
        step,
      });
      layout.labels.push({ x, y: top, step, place });
      line(layout, x, y + CARD_HEIGHT, x, top + LOOP_HEAD - GAP / 2, 0);
      body.draw(x, top + LOOP_HEAD - GAP / 2);
    },
  };
}

function branches(layout: Layout, step: Step, own: Part): Part {
  const parts = innerOf(step).map(({ place, head }) => {
    const part = sequence(layout, head, place);
    return { place, part, left: Math.max(part.left, BRANCH_MIN / 2), right: Math.max(part.right, BRANCH_MIN / 2) };
  });
  const total = parts.reduce((sum, { left, right }) => sum + left + right, BRANCH_GAP * (parts.length - 1));
  const deepest = Math.max(0, ...parts.map(({ part }) => part.height));
  const half = Math.max(own.left, total / 2);
  return {
    left: half,
    right: half,
    height: CARD_HEIGHT + BRANCH_HEAD - GAP / 2 + deepest + BRANCH_FOOT,
    draw: (x, y) => {
      own.draw(x, y);
      const bottom = y + CARD_HEIGHT;
      const start = bottom + BRANCH_HEAD - GAP / 2;
      const join = start + deepest + BRANCH_FOOT;
      let edge = x - total / 2;
      for (const { place, part, left, right } of parts) {
        const axis = edge + left;
        line(layout, x, bottom, axis, start, bottom + LABEL_FROM_TOP / 2 - 4);
        layout.labels.push({ x: axis, y: bottom + LABEL_FROM_TOP, step, place });
        part.draw(axis, start);
        line(layout, axis, start + part.height, x, join, join - BRANCH_FOOT / 2);
        edge += left + right + BRANCH_GAP;
      }
    },
  };
}

const LAYOUT_MARGIN = 40;

export function layOut(trigger: Step): Layout {
  const layout: Layout = { width: 0, height: 0, cards: [], lines: [], slots: [], labels: [], boxes: [] };
  const head = block(layout, { ...trigger, settings: trigger.settings }, undefined);
  const rest = sequence(layout, trigger.nextAction, { parent: trigger.name, location: 'AFTER' });
  const left = Math.max(head.left, rest.left) + LAYOUT_MARGIN;
  head.draw(left, LAYOUT_MARGIN);
  rest.draw(left, LAYOUT_MARGIN + head.height);
  layout.width = left + Math.max(head.right, rest.right) + LAYOUT_MARGIN;
  layout.height = head.height + rest.height + 2 * LAYOUT_MARGIN;
  return layout;
}

export const meets = (box: Box, seen: Box): boolean =>
  box.x <= seen.x + seen.width &&
  box.x + box.width >= seen.x &&
  box.y <= seen.y + seen.height &&
  box.y + box.height >= seen.y;
