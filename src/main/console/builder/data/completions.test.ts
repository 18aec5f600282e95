import { equal, test } from '../../base/testing';
import type { Step } from '../steps';
import { askedFor, dataOffers, fitting, formulaOffers, taken } from './completions';
import { formulaToken, innerOf, isFormula } from './formulas';
import { partsOf, resolve } from './references';

const step = (name: string, displayName: string): Step => ({
  name,
  displayName,
  type: 'CODE',
  valid: true,
  settings: {},
});
const before = [step('trigger', 'Call'), step('step_1', 'Total')];
const data = dataOffers(before, (each) =>
  each.name === 'step_1' ? { value: { sum: 3, rows: [{ id: 7 }] } } : undefined,
);

test('two braces ask for something, until they are closed', () => {
  equal([askedFor('a {{su'), askedFor('{{'), askedFor('a {{sum}} b'), askedFor('a')], ['su', '', undefined, undefined]);
});

test('what earlier steps put out is offered, and formulas, by what is typed', () => {
  equal(
    data.map((offer) => offer.label),
    ['Total', 'Total › sum', 'Total › rows', 'Total › rows › 0', 'Total › rows › 0 › id', 'Call'],
  );
  equal(
    fitting([...data, ...formulaOffers], 'upper').map((offer) => offer.label),
    ['uppercase(text)'],
  );
  equal(
    fitting(data, 'sum').map((offer) => offer.kind === 'data' && offer.token),
    ["{{step_1['output']['sum']}}"],
  );
});

test('a word of a formula becomes a function or a value', () => {
  const round = fitting(formulaOffers, 'round_u')[0]!;
  equal(taken('1 + rou', 7, round), { text: '1 + round_up(', caret: 13 });
  equal(taken('add(su; 2)', 6, data[1]!), { text: "add({{step_1['output']['sum']}}; 2)", caret: 31 });
});

test('a formula is one token, which says what is broken in it', () => {
  const token = formulaToken("add({{step_1['output']['sum']}}; 2)");
  equal(
    partsOf(`x ${token} y`).map((part) => part.kind),
    ['text', 'token', 'text'],
  );
  equal([isFormula(token), innerOf(token)], [true, "add({{step_1['output']['sum']}}; 2)"]);
  equal(resolve(token, before, new Set(['trigger', 'step_1']), () => undefined).label, 'ƒ add(Total › sum; 2)');
  equal(resolve(formulaToken("{{step_9['output']}}"), before, new Set(['trigger']), () => undefined).problem, {
    kind: 'step',
    what: 'step_9',
  });
});
