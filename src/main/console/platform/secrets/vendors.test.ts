import { equal, test } from '../../base/testing';
import { filled, isComplete, VENDORS } from './vendors';

test('a form is complete without optional fields, and sends no empty ones', () => {
  const { fields } = VENDORS.hashicorp;
  const typed = { url: ' https://v.example ', roleId: 'r', secretId: 's', namespace: ' ', other: 'x' };
  equal([isComplete(fields, typed), isComplete(fields, { ...typed, roleId: ' ' })], [true, false]);
  equal(filled(fields, typed), { url: 'https://v.example', roleId: 'r', secretId: 's' });
});
