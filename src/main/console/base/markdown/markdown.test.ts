import { equal, test } from '../testing';
import { blocksOf, highestOf, spansOf } from './markdown';

test('Markdown is split into blocks', () => {
  equal(
    blocksOf('# A\nb\nc\n\n- d\n- e\n f\n\n2. g\n\n> h\n\n---\n```js\n<b>\n\n```\n| i | j |\n|---|--:|\n| 1 | 2 |').map(
      (block) => block.kind,
    ),
    ['heading', 'text', 'list', 'list', 'quote', 'rule', 'code', 'table'],
  );
  equal(blocksOf('| i | j |\n|---|---|\n| 1 | 2 |\nend')[0], { kind: 'table', head: ['i', 'j'], rows: [['1', '2']] });
  equal(blocksOf('```\nnever closed'), [{ kind: 'code', text: 'never closed' }]);
});

test('only addresses of the web and of mail become links; HTML is text', () => {
  equal(
    spansOf('[a](javascript:x) [b](https://b.example) <i>c</i> https://d.example/e. [f](mailto:f@g.example)')
      .filter((span) => span.kind === 'link')
      .map((span) => span.to),
    ['https://b.example', 'https://d.example/e', 'mailto:f@g.example'],
  );
  equal(
    spansOf('**a** *b* `c*` ~~d~~ e_f_g').map((span) => span.kind),
    ['bold', 'text', 'italic', 'text', 'code', 'text', 'struck', 'text'],
  );
});

test('indented headings and quotes are recognized, and patterns and names keep their characters', () => {
  equal(blocksOf('    ## Use C#\n  > note\n## A ##'), [
    { kind: 'heading', level: 2, text: 'Use C#' },
    { kind: 'quote', lines: ['note'] },
    { kind: 'heading', level: 2, text: 'A' },
  ]);
  for (const text of ['Hosts: *.a.com,*.b.com', 'MY__VAR__NAME', '/a/*/b/*', '2 * 3 * 4', '*, *']) {
    equal(spansOf(text), [{ kind: 'text', text }]);
  }
  equal(
    spansOf('__a b__ *"c".* **d**').map((span) => span.kind),
    ['bold', 'text', 'italic', 'text', 'bold'],
  );
});

test('a description of a piece is split into paragraphs, a list and what can be copied', () => {
  equal(blocksOf('Call this:\n```text\nhttp://x/y\n```\n- one\n- two\n\nThe\nend.'), [
    { kind: 'text', lines: ['Call this:'] },
    { kind: 'code', text: 'http://x/y' },
    { kind: 'list', ordered: false, start: 1, items: ['one', 'two'] },
    { kind: 'text', lines: ['The', 'end.'] },
  ]);
});

test('the highest heading of a text is found', () => {
  equal([highestOf(blocksOf('### A\n## B\ntext')), highestOf(blocksOf('text'))], [2, 1]);
});
