import { useEffect } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { Icon } from '../base/components/Icon';
import { channel, useLive } from '../base/live/channel';
import { useMay } from '../base/permissions';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { useBuilder } from './context';

interface Holder { userId?: string; userDisplayName?: string }
interface Locking { acquired?: boolean; lock?: Holder }

/** Who may edit at the moment, where that is not the person who looks. */
export function Lock() {
  return useMay('WRITE_FLOW') ? <EditorsLock /> : (
    <div class="builder-bar tone-blue" role="status"><Icon name="eye" /><span>{t('builder.readOnly')}</span></div>
  );
}

/** One person edits a flow at a time. Whoever comes second is told who does, and may take over. */
function EditorsLock() {
  const { builder } = useBuilder();
  const resourceId = useStore(builder.store, (now) => now.flow.id);
  const lockedBy = useStore(builder.store, (now) => now.lockedBy);
  const me = useStore(session, (now) => now.state === 'in' ? now.user.id : '');
  const state = useStore(channel.state);
  const held = (holder: Holder | undefined): void => builder.store.update((now) => ({
    ...now, lockedBy: holder && holder.userId !== me ? holder.userDisplayName || t('builder.somebody') : undefined,
  }));
  const lock = async (force: boolean): Promise<void> => {
    const answer = await channel.ask('LOCK_RESOURCE', { resourceId, force }) as Locking | undefined;
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
  useLive('RESOURCE_LOCKED', (data) => {
    const told = data as Holder & { resourceId?: string };
    if (told.resourceId === resourceId) {
      held(told);
    }
  }, [resourceId, me]);
  useLive('RESOURCE_UNLOCKED', (data) => {
    if ((data as { resourceId?: string }).resourceId === resourceId) {
      void lock(false).then(() => builder.reload());
    }
  }, [resourceId, me]);
  return lockedBy === undefined ? null : (
    <div class="builder-bar tone-amber" role="status">
      <Icon name="lock" /><span class="spread">{t('builder.locked', { name: lockedBy })}</span>
      <Button size="small" onClick={() => void lock(true)}>{t('builder.takeOver')}</Button>
    </div>
  );
}
