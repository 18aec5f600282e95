import { useEffect, useState } from 'preact/hooks';
import { channel, useLive } from '../base/live/channel';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { useBuilder } from './context';

interface Person {
  userId: string;
  userDisplayName?: string;
  userEmail?: string;
}

const initials = (person: Person): string =>
  (person.userDisplayName || person.userEmail || '?')
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');

export function Presence() {
  const { builder } = useBuilder();
  const resourceId = useStore(builder.store, (now) => now.flow.id);
  const me = useStore(session, (now) => (now.state === 'in' ? now.user.id : ''));
  const state = useStore(channel.state);
  const [people, setPeople] = useState<Person[]>([]);
  useEffect(() => {
    if (state !== 'on') {
      return undefined;
    }
    channel.send('JOIN_PRESENCE', { resourceId });
    return () => {
      channel.send('LEAVE_PRESENCE', { resourceId });
    };
  }, [resourceId, state]);
  useLive(
    'PRESENCE_UPDATED',
    (data) => {
      const told = data as { resourceId?: string; users?: Person[] };
      if (told.resourceId === resourceId) {
        setPeople((told.users ?? []).filter((person) => person.userId !== me));
      }
    },
    [resourceId, me],
  );
  return people.length === 0 ? null : (
    <span
      class="people"
      aria-label={t('builder.people', { names: people.map((person) => person.userDisplayName ?? '').join(', ') })}
      role="img">
      {people.slice(0, 4).map((person) => (
        <span key={person.userId} class="person" title={t('builder.alsoHere', { name: person.userDisplayName ?? '' })}>
          {initials(person)}
        </span>
      ))}
    </span>
  );
}
