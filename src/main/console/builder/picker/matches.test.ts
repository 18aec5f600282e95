import { equal, test } from '../../base/testing';
import { matches } from './matches';

const pieces = [
  { title: 'Google Sheets', about: 'Spreadsheets of Google', words: 'Productivity' },
  { title: 'HubSpot', about: '', words: 'Sales and CRM' },
  { title: 'Crate monitor', about: 'Watches crates', words: '' },
  { title: 'SMTP', about: 'Sends mails', words: '' },
];
const operations = [{ title: 'Send email', about: 'SMTP', words: '' }];

const titles = (typed: string): string[] =>
  matches(pieces, operations, ({ words }) => words, typed).map(({ title }) => title);

test('pieces are found by words of their description and category', () => {
  equal(titles('spreadsheet'), ['Google Sheets']);
  equal(titles('sales'), ['HubSpot']);
});

test('words come before letters in order', () => {
  equal(titles('crm'), ['HubSpot', 'Crate monitor']);
});

test('a piece and its actions are found by name, each once', () => {
  equal(titles('send email'), ['Send email']);
  equal(titles('smtp'), ['SMTP', 'Send email']);
});
