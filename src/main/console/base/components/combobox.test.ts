import { equal, test } from '../testing';
import { firstActive, namedBy, shownFor } from './comboboxModel';

const ZONES = ['Africa/Cairo', 'America/Berlin', 'Europe/Berlin', 'UTC'].map((value) => ({ value, label: value }));

test('all options are shown until the user types, with the selected one active', () => {
  equal(
    shownFor(ZONES, undefined).options.map((option) => option.value),
    ZONES.map((zone) => zone.value),
  );
  equal(firstActive(ZONES, 'Europe/Berlin'), 2);
  equal(firstActive(ZONES, 'absent'), 0);
});

test('a query narrows the options', () => {
  equal(
    shownFor(ZONES, 'berlin').options.map((option) => option.value),
    ['America/Berlin', 'Europe/Berlin'],
  );
});

test('labels rank before descriptions', () => {
  const options = [
    { value: 'a', label: 'Send a message', about: 'Posts to a channel' },
    { value: 'b', label: 'List channels', about: 'All of them' },
  ];
  equal(
    shownFor(options, 'channel').options.map((option) => option.value),
    ['b', 'a'],
  );
});

test('an option is found by its value, too', () => {
  equal(
    shownFor(
      [
        { value: 'UTC', label: 'UTC' },
        { value: 'Europe/Berlin', label: '(GMT+01:00) Europe, Berlin' },
      ],
      'europe/b',
    ).options.map((option) => option.value),
    ['Europe/Berlin'],
  );
});

test('a long list is cut, and says how many matches are not shown', () => {
  const many = Array.from({ length: 430 }, (_, n) => ({ value: String(n), label: `Zone ${n}` }));
  equal(shownFor(many, undefined).more, 230);
  equal(shownFor(many, 'Zone 42').more, 0);
});

test('only a label that is typed in full names its option', () => {
  equal(namedBy(ZONES, ' europe/berlin ')?.value, 'Europe/Berlin');
  equal(namedBy(ZONES, 'berlin'), undefined);
  equal(namedBy(ZONES, undefined), undefined);
});
