import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { initialsOf, nameOf, type User } from './model';

export function PersonName({ user }: { user: Pick<User, 'id' | 'firstName' | 'lastName' | 'email'> }) {
  const me = useStore(session, (now) => (now.state === 'in' ? now.user.id : ''));
  return (
    <div class="person-line">
      <span class="person-letters" aria-hidden="true">
        {initialsOf(user)}
      </span>
      <span class="person-words">
        <strong class="cut">
          {nameOf(user)}
          {user.id === me ? <span class="faint"> ({t('people.you')})</span> : null}
        </strong>
        <span class="faint cut">{user.email}</span>
      </span>
    </div>
  );
}
