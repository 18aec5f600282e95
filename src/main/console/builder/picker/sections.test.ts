import { equal, test } from '../../base/testing';
import { categoriesOf, repeatedNames, sectioned } from './sections';

const named = (...titles: string[]): Array<{ title: string }> => titles.map((title) => ({ title }));

test('own steps come first, then what is used most, then all others by name', () => {
  const ranks: Record<string, number> = { HTTP: 5, Slack: 20 };
  const all = sectioned(named('Router'), named('Zoom', 'HTTP', 'Airtable', 'Slack'), ({ title }) => ranks[title] ?? 0);
  equal(
    all.map(({ section, entry }) => `${section} ${entry.title}`),
    ['flow Router', 'popular Slack', 'popular HTTP', 'all Airtable', 'all Zoom'],
  );
});

test('the popular section is short', () => {
  const many = named(...Array.from({ length: 30 }, (_, n) => `Piece ${n}`));
  equal(sectioned([], many, () => 1).filter(({ section }) => section === 'popular').length, 10);
});

test('categories with most pieces come first, and a piece counts once', () => {
  equal(
    categoriesOf([
      { categories: ['CORE', 'CORE'] },
      { categories: ['MARKETING', 'COMMUNICATION'] },
      { categories: ['COMMUNICATION'] },
    ]),
    ['COMMUNICATION', 'CORE', 'MARKETING'],
  );
});

test('operations of the same name are recognized in any case', () => {
  equal(
    [
      ...repeatedNames([
        { displayName: 'Update message' },
        { displayName: 'Find user' },
        { displayName: 'Update Message' },
      ]),
    ],
    ['update message'],
  );
});
