import { equal, holds, test } from '../../base/testing';
import { walk, type Step } from '../steps';
import { CARD_WIDTH, layOut, meets, type Box } from './layout';

const step = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  type: 'CODE',
  displayName: name,
  valid: true,
  settings: {},
  ...more,
});
const router = (name: string, children: Array<Step | null>, more: Partial<Step> = {}): Step =>
  step(name, {
    type: 'ROUTER',
    children,
    settings: { branches: children.map((_, n) => ({ branchName: `b${n}`, branchType: 'CONDITION' as const })) },
    ...more,
  });

const trigger = (nextAction?: Step): Step =>
  step('trigger', { type: 'PIECE_TRIGGER', ...(nextAction ? { nextAction } : {}) });

test('steps stand one below the other, with a place before, between and behind them', () => {
  const { cards, slots } = layOut(trigger(step('step_1', { nextAction: step('step_2') })));
  equal(
    cards.map((card) => card.step.name),
    ['trigger', 'step_1', 'step_2'],
  );
  holds(cards[0]!.y < cards[1]!.y && cards[1]!.y < cards[2]!.y, 'in order downwards');
  equal(
    slots.map((slot) => slot.place.parent),
    ['trigger', 'step_1', 'step_2'],
  );
});

test('branches stand side by side, and what follows stands below the deepest', () => {
  const { cards, labels } = layOut(
    trigger(router('step_1', [step('a', { nextAction: step('b') }), null, step('c')], { nextAction: step('d') })),
  );
  const at = Object.fromEntries(cards.map((card) => [card.step.name, card]));
  equal(at['a']!.y, at['c']!.y);
  holds(at['a']!.x + at['a']!.width < at['c']!.x, 'beside, not over');
  holds(at['d']!.y > at['b']!.y + at['b']!.height, 'below');
  equal(
    labels.map((label) => label.place.branchIndex),
    [0, 1, 2],
  );
});

test('a loop is a box around its body', () => {
  const { cards, boxes } = layOut(
    trigger(step('step_1', { type: 'LOOP_ON_ITEMS', firstLoopAction: router('x', [step('y'), step('z')]) })),
  );
  const inside = (box: Box, outer: Box): boolean =>
    box.x >= outer.x &&
    box.y >= outer.y &&
    box.x + box.width <= outer.x + outer.width &&
    box.y + box.height <= outer.y + outer.height;
  holds(
    cards.filter((card) => ['x', 'y', 'z'].includes(card.step.name)).every((card) => inside(card, boxes[0]!)),
    'inside',
  );
  holds(!inside(cards.find((card) => card.step.name === 'step_1')!, boxes[0]!), 'its own card is above');
});

test('a step that continues after a failure has two outcomes', () => {
  const { labels } = layOut(
    trigger(step('step_1', { settings: { errorHandlingOptions: { continueOnFailure: { value: true } } } })),
  );
  equal(
    labels.map((label) => label.place.location),
    ['INSIDE_ON_SUCCESS_BRANCH', 'INSIDE_ON_FAILURE_BRANCH'],
  );
});

test('numbers follow the order of the steps, and no two cards overlap in a flow of 500 steps', () => {
  let flow: Step | undefined;
  for (let n = 100; n > 0; n--) {
    const body = step(`b${n}`, { nextAction: step(`c${n}`) });
    flow =
      n % 2 === 0
        ? router(`r${n}`, [body, step(`d${n}`), null], { nextAction: flow ?? step('end') })
        : step(`l${n}`, {
            type: 'LOOP_ON_ITEMS',
            firstLoopAction: router(`r${n}`, [body, step(`e${n}`), step(`f${n}`)]),
            nextAction: flow ?? step('end'),
          });
  }
  const root = trigger(flow);
  const { cards, width, height } = layOut(root);
  holds(cards.length >= 500, `${cards.length} steps`);
  equal(
    cards.map((card) => card.step.name),
    walk(root).map((visited) => visited.step.name),
  );
  equal(
    cards.map((card) => card.number),
    cards.map((_, index) => index + 1),
  );
  cards.forEach((card, index) =>
    cards.slice(index + 1).forEach((other) => holds(!meets(card, other), `${card.step.name} over ${other.step.name}`)),
  );
  holds(
    cards.every((card) => card.x >= 0 && card.x + card.width <= width && card.y + card.height <= height),
    'within the bounds',
  );
});

test('all cards have one width, also those of long names', () => {
  const { cards } = layOut(
    trigger(step('a', { displayName: 'A name that is much longer than a card has room for', nextAction: step('b') })),
  );
  equal(
    cards.map((card) => card.width),
    [CARD_WIDTH, CARD_WIDTH, CARD_WIDTH],
  );
  equal(new Set(cards.map((card) => card.x)).size, 1);
});
