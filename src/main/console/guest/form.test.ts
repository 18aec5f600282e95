import { equal, test } from '../base/testing';
import { answerOf } from './answer';
import { asJson, hasFiles, initial, keyOf, missing, webhookPath, type Input } from './form';

const input = (displayName: string, type: string, required = false): Input => ({ displayName, type, required, description: '' });
const inputs = [input('First Name', 'text', true), input('Your CV', 'file', true), input('News?', 'toggle', true), input('Why', 'text_area')];

test('names fields as the trigger does', () => {
  equal(keyOf('My First Input "x"'), 'myFirstInput x');
  equal(keyOf('E-Mail'), 'e-mail');
  equal(keyOf('a\tb_c'), 'aB_c');
});

test('begins with what the address gives, and never with a file', () => {
  const given: Record<string, string> = { firstName: 'Ada', 'news?': 'true', yourCv: 'x' };
  equal(initial(inputs, (key) => given[key] ?? null), { firstName: 'Ada', yourCv: undefined, 'news?': true, why: '' });
});

test('says what is missing; a toggle that is off is an answer', () => {
  equal(missing(inputs, initial(inputs, () => null)), ['firstName', 'yourCv']);
  equal(missing(inputs, { firstName: '  ', yourCv: undefined, 'news?': false, why: '' }), ['firstName', 'yourCv']);
  equal(missing([inputs[0]!], { firstName: 'Ada' }), []);
});

test('travels as a form with parts only where files are asked for', () => {
  equal(hasFiles(inputs), true);
  equal(hasFiles([inputs[0]!]), false);
  equal(asJson({ firstName: 'Ada', 'news?': false, yourCv: undefined }), { firstName: 'Ada', 'news?': false });
});

test('goes to the webhook, the draft, and waits where it is told to', () => {
  equal(webhookPath('f', false, false), '/api/v1/webhooks/f');
  equal(webhookPath('f', true, true), '/api/v1/webhooks/f/draft/sync');
});

test('reads what a flow answers', () => {
  equal(answerOf({}, 'file'), { kind: 'nothing' });
  equal(answerOf('hello', 'file'), { kind: 'text', text: 'hello', files: [] });
  equal(answerOf({ type: 'markdown', value: '**hi**' }, 'file'), { kind: 'text', text: '**hi**', files: [] });
  equal(answerOf({ type: 'file', value: { base64Url: 'data:text/plain;base64,aGk=', fileName: 'a', extension: 'txt' } }, 'file'),
    { kind: 'file', file: { name: 'a.txt', href: 'data:text/plain;base64,aGk=' } });
  equal(answerOf({ type: 'file', value: { url: 'https://mill.example/b.pdf?x=1', mimeType: 'application/pdf' } }, 'file'),
    { kind: 'file', file: { name: 'b.pdf', href: 'https://mill.example/b.pdf?x=1' } });
});

test('follows no link that a script could hide in', () => {
  equal(answerOf({ type: 'file', value: { url: 'javascript:alert(1)' } }, 'file'), { kind: 'nothing' });
  equal(answerOf({ type: 'markdown', value: 'x', files: [{ file: 'javascript:alert(1)' }] }, 'file'), { kind: 'text', text: 'x', files: [] });
});
