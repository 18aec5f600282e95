import { useState } from 'preact/hooks';
import type { Failure } from '../base/api/failure';
import { Button } from '../base/components/Button';
import { complain, say } from '../base/components/Toasts';
import { useCommands } from '../base/commands';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { brokenReferences } from './broken';
import { notSaved } from './builder';
import { useBuilder } from './context';
import { checkFormulas, formulaProblems } from './data/formulaProblems';
import { formulasOf } from './data/stepTexts';
import { invalidJson } from './jsonInputs';
import { PublishDialog } from './publish/PublishDialog';
import { StepListDialog } from './StepList';
import { invalidSteps, numbered, reasonOf } from './validity';
import type { Warning } from './warnings';

type Doubtful = Awaited<ReturnType<typeof invalidJson>>[number];

/**
 * Publishes the shown version. Lists the steps that block it before, or the warnings of the published version
 * afterwards. Asks first if JSON is invalid or a reference is broken, and if a published version is replaced.
 */
export function PublishButton() {
  const { builder, names, projectId } = useBuilder();
  const { flow, version, saving } = useStore(builder.store);
  const [busy, setBusy] = useState(false);
  const [blocked, setBlocked] = useState(false);
  const [invalid, setInvalid] = useState<Doubtful[]>([]);
  const [asking, setAsking] = useState<{ refusal?: Failure }>();
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  const published =
    flow.publishedVersionId !== null && flow.publishedVersionId === flow.version.id && saving === 'saved';
  const broken = async (): Promise<Doubtful[]> => {
    const { trigger } = builder.version;
    await checkFormulas(projectId, formulasOf(trigger));
    const messages = brokenReferences(trigger, names.get(), formulaProblems.get());
    return numbered(trigger).flatMap(({ step, number }) =>
      (messages.get(step.name) ?? []).map((message) => ({ step, number, message })),
    );
  };
  const publish = async (isConfirmed = false): Promise<void> => {
    setBusy(true);
    const unread = isConfirmed ? [] : [...(await invalidJson(builder.version.trigger)), ...(await broken())];
    setInvalid(unread);
    if (!(await builder.settled())) {
      complain(notSaved());
    } else if (invalidSteps(builder.version.trigger).length > 0) {
      setBlocked(true);
    } else if (unread.length === 0) {
      if (builder.store.get().flow.publishedVersionId !== null) {
        setAsking({});
      } else {
        const refusal = await perform();
        if (refusal?.code === 'FLOW_TESTS_FAILED') {
          setAsking({ refusal });
        } else if (refusal) {
          complain(refusal);
        }
      }
    }
    setBusy(false);
  };
  const perform = async (): Promise<Failure | undefined> => {
    const refusal = await builder.request({ type: 'LOCK_AND_PUBLISH', request: { status: 'ENABLED' } });
    if (refusal) {
      await builder.reload();
    } else {
      say(t('builder.published', { name: builder.version.displayName }));
      setWarnings(builder.store.get().flow.warnings ?? []);
    }
    return refusal;
  };
  const enable = async (on: boolean): Promise<void> => {
    const refusal = await builder.request({ type: 'CHANGE_STATUS', request: { status: on ? 'ENABLED' : 'DISABLED' } });
    if (refusal) {
      complain(refusal);
    } else {
      say(t(on ? 'flows.switched.on' : 'flows.switched.off', { name: version.displayName }));
    }
  };
  useCommands(
    [
      {
        id: 'builder-publish',
        label: t('builder.publish'),
        icon: 'rocket',
        keys: 'Ctrl+Shift+p',
        needs: 'UPDATE_FLOW_STATUS',
        group: t('builder.group'),
        perform: () => publish(),
      },
    ],
    [builder],
  );
  return (
    <>
      {published ? (
        <Button icon="power" needs="UPDATE_FLOW_STATUS" onClick={() => enable(flow.status !== 'ENABLED')}>
          {t(flow.status === 'ENABLED' ? 'builder.turnOff' : 'builder.turnOn')}
        </Button>
      ) : (
        <Button
          kind="primary"
          icon="rocket"
          needs="UPDATE_FLOW_STATUS"
          busy={busy}
          more={{ 'data-publish': '' }}
          onClick={() => publish()}>
          {t('builder.publish')}
        </Button>
      )}
      {asking ? <PublishDialog refusal={asking.refusal} publish={perform} close={() => setAsking(undefined)} /> : null}
      {blocked ? (
        <StepListDialog
          title={t('builder.blocked')}
          text={t('builder.blockedText')}
          onClose={() => setBlocked(false)}
          entries={invalidSteps(version.trigger).map((each) => ({ ...each, message: reasonOf(each.step) }))}
        />
      ) : null}
      {invalid.length > 0 && !blocked ? (
        <StepListDialog
          title={t('publish.doubtfulTitle')}
          text={t('publish.doubtfulText')}
          onClose={() => setInvalid([])}
          entries={invalid}
          footer={
            <footer>
              <Button onClick={() => setInvalid([])}>{t('base.cancel')}</Button>
              <Button kind="primary" onClick={() => publish(true)}>
                {t('publish.anyway')}
              </Button>
            </footer>
          }
        />
      ) : null}
      {warnings.length > 0 ? (
        <StepListDialog
          title={t('builder.warnings')}
          text={t('builder.warningsText')}
          onClose={() => setWarnings([])}
          entries={warnings.flatMap(({ stepName, message }) =>
            numbered(version.trigger)
              .filter(({ step }) => step.name === stepName)
              .map((each) => ({ ...each, message })),
          )}
        />
      ) : null}
    </>
  );
}
