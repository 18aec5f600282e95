import { equal, test } from '../../base/testing';
import { emptyInput, unfilled, type Properties } from '../properties';
import { itemName } from './itemName';

const form: Properties = {
  values: { type: 'ARRAY', required: true, properties: { name: { type: 'LONG_TEXT' }, count: { type: 'NUMBER' } } },
};

test('an item is named after its list', () => {
  equal(
    ['Records', 'Filters', 'Entries', 'Custom Headers', 'Email addresses', 'Status', 'Address', 'Daten', 's'].map(
      itemName,
    ),
    ['Record', 'Filter', 'Entry', 'Custom Header', 'Email address', undefined, undefined, undefined, undefined],
  );
});

test('a required list of forms begins with one form, another list is empty', () => {
  equal(emptyInput(form), { values: [{ name: '', count: undefined }] });
  equal(emptyInput({ to: { type: 'ARRAY', required: true }, cc: { type: 'ARRAY', properties: form } }), {
    to: [],
    cc: [],
  });
});

test('a form is filled once: a list that the user emptied stays empty', () => {
  equal(unfilled(form, {}), ['values']);
  equal(unfilled(form, { values: [] }), []);
  equal(unfilled({ limit: { type: 'NUMBER', defaultValue: 5 }, name: { type: 'SHORT_TEXT' } }, {}), ['limit']);
});
