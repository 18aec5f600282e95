import { equal, part, test } from '../../base/testing';
import type { Operation } from '../properties';
import { guestPageOf, pageAddress, saysAddress } from './guestPage';

const trigger = (description: string): Operation =>
  part<Operation>({ props: { about: { type: 'MARKDOWN', description } } });

test('the descriptions of a trigger say which page starts the flow', () => {
  equal(
    ['At {{formUrl}}', '{{chatUrl}}?useDraft=true', '{{webhookUrl}}', ''].map((text) => guestPageOf(trigger(text))),
    ['form', 'chat', undefined, undefined],
  );
  equal([saysAddress(trigger('Call {{webhookUrl}}')), saysAddress(trigger('{{formUrl}}'))], [true, false]);
});

test('a flow that is not published opens the page of its draft', () => {
  equal([pageAddress('/forms/f', true), pageAddress('/forms/f', false)], ['/forms/f', '/forms/f?useDraft=true']);
});
