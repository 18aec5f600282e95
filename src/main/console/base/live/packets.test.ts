import { equal, test } from '../testing';
import { connect, event, read } from './packets';

test('packets of the channel are parsed', () => {
  equal(read('0{"sid":"x","pingInterval":25000,"pingTimeout":20000}'), { kind: 'open', pingMs: 45_000 });
  equal(read('2'), { kind: 'ping' });
  equal(read('40{"sid":"y"}'), { kind: 'connected' });
  equal(read('42["RESOURCE_LOCKED",{"resourceId":"r"}]'), {
    kind: 'event',
    name: 'RESOURCE_LOCKED',
    data: { resourceId: 'r' },
  });
  equal(read('4312[{"acquired":true}]'), { kind: 'answer', id: 12, data: { acquired: true } });
  equal(read('44{"message":"no"}'), { kind: 'refused', message: 'no' });
});

test('packets for the channel are serialized', () => {
  equal(connect({ projectId: 'p' }), '40{"projectId":"p"}');
  equal(event('LOCK_RESOURCE', { resourceId: 'r' }, 7), '427["LOCK_RESOURCE",{"resourceId":"r"}]');
});
