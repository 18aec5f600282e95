import { equal, test } from '../../base/testing';
import { TypedTexts } from './typedTexts';

test('a value that returns after the next key is behind the typed text, also when it is rendered again', () => {
  const typed = new TypedTexts();
  equal(typed.compare(''), 'other');
  typed.add('h');
  typed.add('ht');
  equal(typed.compare(''), 'behind');
  equal(typed.compare('h'), 'behind');
  equal(typed.compare('h'), 'behind');
  equal(typed.compare('ht'), 'latest');
});

test('a value from another source is shown, also while texts are on their way', () => {
  const typed = new TypedTexts();
  typed.compare('one');
  typed.add('two');
  equal(typed.compare('undone'), 'other');
});

test('texts that never return are forgotten when the field is left', () => {
  const typed = new TypedTexts();
  typed.add('a');
  typed.add('ab');
  typed.add('a');
  equal(typed.compare('a'), 'behind');
  typed.clear();
  equal(typed.compare('a'), 'other');
});
