import { failure } from '../base/api/failure';
import { equal, holds, test } from '../base/testing';
import { answerOf } from './answer';
import { answered, begun, failed, kept, resumed, said, without } from './chat/conversation';
import { beginningsOf, inputsOf, keyOf, missingOf, parcelOf, problemsOf } from './form/inputs';
import { placeOf } from './place';
import { sizeOf } from './size';

const inputs = inputsOf([
  { displayName: 'Your name', type: 'text', required: true, description: '' },
  { displayName: 'Story', type: 'text_area', required: false, description: '' },
  { displayName: 'News?', type: 'toggle', required: true, description: '' },
  { displayName: 'Receipt', type: 'file', required: true, description: '' },
  { displayName: 'Newer', type: JSON.parse('"date"'), required: false, description: '' },
]);

test("the key of an input is the server's", () => {
  equal(['Your name', 'My First Input "x"', "It's\tTab", 'UPPER  9 Übung'].map(keyOf), [
    'yourName',
    'myFirstInput x',
    'itsTab',
    'upper9 übung',
  ]);
});

test('an unknown field type is a line of text', () => {
  equal(
    inputs.map((input) => input.type),
    ['text', 'text_area', 'toggle', 'file', 'text'],
  );
});

test('the query fills the fields initially, ignoring case', () => {
  const place = placeOf('/mill/forms/f1', '?useDraft=true&YOURNAME=Bo+Li&story=a%20b%&news%3F=TRUE&receipt=x');
  const defaults = { yourname: 'Bo Li', story: 'a%20b%', 'news?': 'TRUE', receipt: 'x' };
  equal(place, { kind: 'form', flowId: 'f1', draft: true, defaults });
  equal(beginningsOf(inputs, place!.defaults), { yourName: 'Bo Li', story: 'a%20b%', 'news?': true, newer: '' });
});

test('an address without a form or a chat is unknown', () => {
  equal([placeOf('/forms/', ''), placeOf('/form/x', ''), placeOf('/forms/x/y', '')], [undefined, undefined, undefined]);
  equal(placeOf('/chats/x/', '?useDraft=false')?.draft, false);
});

test('a required empty field is missing; "no" is a value', () => {
  equal(missingOf(inputs, { yourName: '  ', story: '', 'news?': false, receipt: undefined }), ['yourName', 'receipt']);
});

test('unset fields are omitted; texts and choices are sent, even empty ones', () => {
  equal(parcelOf(inputs, { yourName: 'Bo', story: '', 'news?': false, newer: '' }), {
    files: false,
    fields: [
      ['yourName', 'Bo'],
      ['story', ''],
      ['news?', false],
      ['newer', ''],
    ],
  });
});

test('errors of the server are shown at their fields, and a too large file at the file', () => {
  const refused = failure('FST_ERR_VALIDATION', {
    status: 400,
    fields: { yourName: 'Too short', 'body.story': 'Too long' },
  });
  equal(problemsOf(refused, inputs, 'large', {}), { yourName: 'Too short', story: 'Too long' });
  equal(problemsOf(failure('413', { status: 413 }), inputs, 'large', { receipt: 'there' }), { receipt: 'large' });
});

test('responses of every form are parsed, and script addresses are omitted', () => {
  equal(
    answerOf({
      type: 'markdown',
      value: 'Hi',
      files: [{ url: 'https://x/a.png', mimeType: 'image/png' }, { url: 'javascript:x' }, null],
    }),
    { text: 'Hi', files: [{ url: 'https://x/a.png', name: 'a.png', image: true }] },
  );
  equal(
    answerOf({ type: 'file', value: { base64Url: 'data:text/plain;base64,aGk=', fileName: 'a', extension: 'txt' } }),
    { text: '', files: [{ url: 'data:text/plain;base64,aGk=', name: 'a.txt', image: false }] },
  );
  equal(
    [answerOf(''), answerOf({}), answerOf(null), answerOf('plain')].map((answer) => answer.text),
    ['', '', '', 'plain'],
  );
  holds(answerOf({ a: 1 }).text.includes('"a": 1'), 'another answer is shown as it is');
  equal(
    answerOf({ type: 'markdown', value: '', files: [{ url: '//evil.example/x' }, { url: 'data:text/html,x' }] }).files,
    [],
  );
});

test('a conversation keeps a failed message, and repeats it at the end', () => {
  const first = said(begun('s'), 'Hi', [], 'k');
  const refused = failed(first.next, first.message.id, 'no', true, 'l');
  const again = said(without(refused, first.message.id), 'Hi', [], 'l');
  const done = answered(again.next, again.message.id, { type: 'markdown', value: 'Yes', files: [] });
  equal(
    refused.messages.map((message) => message.by === 'guest' && [message.state, message.problem]),
    [['failed', 'no']],
  );
  equal(
    done.messages.map((message) => (message.by === 'guest' ? message.state : message.answer.text)),
    ['sent', 'Yes'],
  );
});

test('a message with an unknown outcome is repeated as the same message, an answered one as another', () => {
  const keyAfter = (isAnswered: boolean) =>
    failed(said(begun('s'), 'Hi', [], 'k').next, 1, 'no', isAnswered, 'l').messages.map(
      (message) => message.by === 'guest' && message.key,
    );
  equal([keyAfter(false), keyAfter(true)], [['k'], ['l']]);
});

test('a tab keeps the conversation without file contents; messages in flight have failed', () => {
  const now = said(
    answered(said(begun('s'), 'a', ['f'], 'k').next, 1, {
      type: 'file',
      value: { base64Url: 'data:text/plain;base64,aGk=' },
    }),
    'b',
    [],
    'l',
  ).next;
  const found = resumed(kept(now), 'lost')!;
  equal(found.sessionId, 's');
  equal(
    found.messages.map((message) => (message.by === 'guest' ? message.state : message.answer.files.length)),
    ['sent', 0, 'failed'],
  );
  equal([resumed(null, ''), resumed('{', ''), resumed('{}', '')], [null, null, null]);
});

test('sizes have decimal units', () => {
  equal([0, 999, 1_000, 15_400, 999_600, 2_500_000].map(sizeOf), [
    '0 bytes',
    '999 bytes',
    '1.0 KB',
    '15 KB',
    '1.0 MB',
    '2.5 MB',
  ]);
});
