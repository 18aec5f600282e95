import { useState } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { Dialog } from '../base/components/Dialog';
import { Icon } from '../base/components/Icon';
import { complain, say } from '../base/components/Toasts';
import { useCommands } from '../base/commands';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { notSaved } from './builder';
import { useBuilder } from './context';
import { invalidSteps, reasonOf } from './validity';

/** Publishes what is seen; where something keeps it from that, says which step and why. */
export function PublishButton() {
  const { builder, focus } = useBuilder();
  const { flow, version, saving } = useStore(builder.store);
  const [busy, work] = useState(false);
  const [blocked, block] = useState(false);
  const published = flow.publishedVersionId !== null && flow.publishedVersionId === flow.version.id && saving === 'saved';
  const publish = async (): Promise<void> => {
    work(true);
    if (!await builder.settled()) {
      complain(notSaved());
    } else if (invalidSteps(builder.version.trigger).length > 0) {
      block(true);
    } else {
      const refusal = await builder.request({ type: 'LOCK_AND_PUBLISH', request: { status: 'ENABLED' } });
      if (refusal) {
        complain(refusal);
        await builder.reload();
      } else {
        say(t('builder.published', { name: builder.version.displayName }));
      }
    }
    work(false);
  };
  const enable = async (on: boolean): Promise<void> => {
    const refusal = await builder.request({ type: 'CHANGE_STATUS', request: { status: on ? 'ENABLED' : 'DISABLED' } });
    if (refusal) {
      complain(refusal);
    } else {
      say(t(on ? 'flows.switched.on' : 'flows.switched.off', { name: version.displayName }));
    }
  };
  useCommands([{ id: 'builder-publish', label: t('builder.publish'), icon: 'rocket', keys: 'Ctrl+Shift+p', needs: 'UPDATE_FLOW_STATUS', group: t('builder.group'), perform: () => void publish() }], [builder]);
  return (
    <>
      {published ? <Button icon="power" needs="UPDATE_FLOW_STATUS" onClick={() => void enable(flow.status !== 'ENABLED')}>{t(flow.status === 'ENABLED' ? 'builder.turnOff' : 'builder.turnOn')}</Button>
        : <Button kind="primary" icon="rocket" needs="UPDATE_FLOW_STATUS" busy={busy} more={{ 'data-publish': '' } as never} onClick={() => void publish()}>{t('builder.publish')}</Button>}
      {blocked ? (
        <Dialog title={t('builder.blocked')} onClose={() => block(false)}>
          <div class="body">
            <p>{t('builder.blockedText')}</p>
            <ul class="blocked-steps">
              {invalidSteps(version.trigger).map(({ step, number }) => (
                <li key={step.name}>
                  <button type="button" class="blocked-step" onClick={() => {
                    block(false);
                    focus.set({ step: step.name, side: step.type === 'EMPTY' ? 'picker' : 'step' });
                  }}>
                    <Icon name="triangle-alert" /><span><b>{number}. {step.displayName}</b><br /><span class="faint">{reasonOf(step)}</span></span><Icon name="chevron-right" />
                  </button>
                </li>
              ))}
            </ul>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
