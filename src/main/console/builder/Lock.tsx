import { useEffect } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { Icon } from '../base/components/Icon';
import { channel, useLive } from '../base/live/channel';
import { useRoleMay, withheld, type Permission } from '../base/permissions';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { useBuilder } from './context';

interface Holder {
  userId?: string;
  userDisplayName?: string;
}
interface Locking {
  acquired?: boolean;
  lock?: Holder;
}

/** Permissions that the editor lacks while another user edits. */
const EDITING: ReadonlySet<Permission> = new Set(['WRITE_FLOW', 'UPDATE_FLOW_STATUS']);
const NOTHING: ReadonlySet<Permission> = new Set();

export function Lock() {
  return useRoleMay('WRITE_FLOW') ? (
    <EditorsLock />
  ) : (
    <div class="builder-bar tone-blue" role="status">
      <Icon name="eye" />
      <span>{t('builder.readOnly')}</span>
    </div>
  );
}

/** One person edits a flow at a time. For the second one the editor is read-only, follows the edits, and can be taken over. */
function EditorsLock() {
  const { builder } = useBuilder();
  const resourceId = useStore(builder.store, (now) => now.flow.id);
  const lockedBy = useStore(builder.store, (now) => now.lockedBy);
  const me = useStore(session, (now) => (now.state === 'in' ? now.user.id : ''));
  const state = useStore(channel.state);
  const held = (holder: Holder | undefined): void =>
    builder.store.update((now) => ({
      ...now,
      lockedBy: holder && holder.userId !== me ? holder.userDisplayName || t('builder.somebody') : undefined,
    }));
  const lock = async (force: boolean): Promise<void> => {
    const answer = (await channel.ask('LOCK_RESOURCE', { resourceId, force })) as Locking | undefined;
    held(answer?.acquired === false ? answer.lock : undefined);
    if (force) {
      await builder.reload();
    }
  };
  useEffect(() => {
    if (state !== 'on') {
      return undefined;
    }
    void lock(false);
    return () => {
      channel.send('UNLOCK_RESOURCE', { resourceId });
    };
  }, [resourceId, state]);
  useEffect(() => {
    withheld.set(lockedBy === undefined ? NOTHING : EDITING);
    return () => withheld.set(NOTHING);
  }, [lockedBy]);
  useLive(
    'RESOURCE_LOCKED',
    (data) => {
      const told = data as Holder & { resourceId?: string };
      if (told.resourceId === resourceId) {
        held(told);
      }
    },
    [resourceId, me],
  );
  useLive(
    'RESOURCE_UNLOCKED',
    (data) => {
      if ((data as { resourceId?: string }).resourceId === resourceId) {
        void lock(false).then(() => builder.reload());
      }
    },
    [resourceId, me],
  );
  return lockedBy === undefined ? null : (
    <div class="builder-bar tone-amber" role="status">
      <Icon name="lock" />
      <span class="spread">{t('builder.locked', { name: lockedBy })}</span>
      <Button size="small" onClick={() => lock(true)}>
        {t('builder.takeOver')}
      </Button>
    </div>
  );
}
