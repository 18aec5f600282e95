import { equal, holds, test } from '../base/testing';
import { entitled, initialsOf, isAddress, nameOf, SUBJECTS, toggled, type Permission } from './model';

test('every permission belongs to one subject', () => {
  const all = SUBJECTS.flatMap((subject) => subject.permissions);
  equal(all.length, new Set(all).size);
  equal(all.length, 29);
});

test('write permission implies read permission, and removing read removes write', () => {
  const granted = toggled(new Set<Permission>(), 'WRITE_TABLE', true);
  equal([...granted].sort(), ['READ_TABLE', 'WRITE_TABLE']);
  equal([...toggled(granted, 'READ_TABLE', false)], []);
  equal([...toggled(granted, 'WRITE_TABLE', false)], ['READ_TABLE']);
});

test('users have a name, or their address', () => {
  equal(
    [
      nameOf({ firstName: 'Ada', lastName: '', email: 'a@b.example' }),
      nameOf({ firstName: '', lastName: '', email: 'a@b.example' }),
    ],
    ['Ada', 'a@b.example'],
  );
  equal(initialsOf({ firstName: 'Ada', lastName: 'Miller', email: 'a@b.example' }), 'AM');
  holds(isAddress(' ada@mill.example ') && !isAddress('ada'), 'addresses are told from names');
});

test('active administrators and operators have access to every project, administrators first', () => {
  const user = (
    id: string,
    platformRole: 'ADMIN' | 'OPERATOR' | 'MEMBER',
    status: 'ACTIVE' | 'INACTIVE' = 'ACTIVE',
  ) => ({ id, platformRole, status });
  equal(
    entitled([user('m', 'MEMBER'), user('o', 'OPERATOR'), user('a', 'ADMIN'), user('x', 'ADMIN', 'INACTIVE')]).map(
      ({ id }) => id,
    ),
    ['a', 'o'],
  );
});
