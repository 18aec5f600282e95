import { equal, test } from '../base/testing';
import { invalidJsonIn } from './jsonFields';
import type { Properties } from './properties';

const body: Properties = { body: { type: 'JSON', displayName: 'JSON Body' } };

test('a JSON field that does not parse is named, at the top and in a form of the piece', () => {
  equal(invalidJsonIn(body, { body: '{"a": }' }), ['JSON Body']);
  equal(
    invalidJsonIn(
      { fields: { type: 'DYNAMIC' } },
      { fields: { body: '{"a": }' } },
      { fields: { type: 'MANUAL', schema: body } },
    ),
    ['JSON Body'],
  );
});

test('a JSON field of a list item is named with the number of the item, also in a form of the piece', () => {
  const rows: Properties = { rows: { type: 'ARRAY', displayName: 'Rows', properties: body } };
  const input = { rows: [{ body: '{}' }, { body: '[1' }] };
  equal(invalidJsonIn(rows, input), ['Rows 2 › JSON Body']);
  equal(invalidJsonIn({ form: { type: 'DYNAMIC' } }, { form: input }, { form: { type: 'MANUAL', schema: rows } }), [
    'Rows 2 › JSON Body',
  ]);
});

test('valid JSON, references, mapped forms and forms without a definition are not named', () => {
  equal(invalidJsonIn(body, { body: '{"a": {{step_1.output}}}' }), []);
  equal(invalidJsonIn(body, { body: { a: 1 } }), []);
  equal(invalidJsonIn({ fields: { type: 'DYNAMIC' } }, { fields: { body: '{' } }), []);
  equal(
    invalidJsonIn(
      { fields: { type: 'DYNAMIC' } },
      { fields: '{{trigger}}' },
      { fields: { type: 'DYNAMIC', schema: body } },
    ),
    [],
  );
});
