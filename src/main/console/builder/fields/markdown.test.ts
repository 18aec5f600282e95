import { equal, test } from '../../base/testing';
import { blocksOf, spansOf } from './markdown';

test('a description is cut into paragraphs, items and what can be copied', () => {
  equal(
    blocksOf('Call this:\n```text\nhttp://x/y\n```\n- one\n- two\n\nThe\nend.').map((block) => [
      block.kind,
      block.text,
    ]),
    [
      ['text', 'Call this:'],
      ['code', 'http://x/y'],
      ['item', 'one'],
      ['item', 'two'],
      ['text', 'The end.'],
    ],
  );
});

test('only addresses of the web are links', () => {
  equal(
    spansOf('**a** `b` [c](https://d.example) [e](javascript:f)').map((span) => span.kind),
    ['bold', 'text', 'code', 'text', 'link', 'text'],
  );
});
