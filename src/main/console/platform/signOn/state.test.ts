import { equal, test } from '../../base/testing';
import { domainOf, googleState, isDomain } from './state';

test('Google is offered, not set up, or switched off', () => {
  equal([googleState(true, true), googleState(true, false), googleState(false, false)], ['shown', 'unset', 'off']);
});

test('a domain may be typed as an address', () => {
  equal([' Ada@Corp.Example ', '@corp.example', 'corp.example'].map(domainOf), [
    'corp.example',
    'corp.example',
    'corp.example',
  ]);
  equal(['corp.example', 'a.b.example', 'corp', '-a.example', 'a b.example', ''].map(isDomain), [
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
