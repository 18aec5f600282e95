import { useState } from 'preact/hooks';
import type { Failure } from '../../base/api/failure';
import { Button } from '../../base/components/Button';
import { Dialog } from '../../base/components/Dialog';
import { Badge, Notice } from '../../base/components/States';
import { navigate } from '../../base/router';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { useBuilder } from '../context';
import { numbered } from '../validity';
import { ComparisonView } from './ComparisonView';

interface Props {
  /** Refusal of a publication that was tried before the dialog opened. */
  refusal: Failure | undefined;
  publish: () => Promise<Failure | undefined>;
  close: () => void;
}

interface Refusing {
  testId: string;
  name: string;
  state: string;
}

const WIDE_PX = 640;

/** Asks before a published version is replaced, and shows which recorded runs the draft would decide in another way. */
export function PublishDialog({ refusal: earlier, publish, close }: Props) {
  const { builder, projectId } = useBuilder();
  const { flow, version } = useStore(builder.store);
  const [refusal, setRefusal] = useState(earlier);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setIsBusy(true);
    const reason = await publish();
    setIsBusy(false);
    setRefusal(reason);
    if (!reason) {
      close();
    }
  };
  const title = (name: string): string => {
    const found = numbered(version.trigger).find((each) => each.step.name === name);
    return found ? `${found.number}. ${found.step.displayName}` : name;
  };
  const name = version.displayName;
  return (
    <Dialog
      wide={WIDE_PX}
      title={t(refusal ? 'publish.refusedTitle' : 'publish.title', { name })}
      onClose={close}
      footer={
        <footer>
          <Button onClick={close}>{t('base.cancel')}</Button>
          <Button
            kind="primary"
            icon="rocket"
            busy={isBusy}
            more={{ 'data-confirm-publish': '', autofocus: true }}
            onClick={() => submit()}>
            {t('builder.publish')}
          </Button>
        </footer>
      }>
      <div class="body publish-body">
        {refusal?.code === 'FLOW_TESTS_FAILED' ? (
          <FailingTests
            refusal={refusal}
            open={() => navigate(`/projects/${projectId}/flows/${flow.id}/tests?run=true`)}
          />
        ) : refusal ? (
          <Notice failure={refusal} />
        ) : null}
        {flow.publishedVersionId === null ? null : (
          <>
            {refusal ? null : <p>{t('publish.text')}</p>}
            <ComparisonView flowId={flow.id} projectId={projectId} title={title} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function FailingTests({ refusal, open }: { refusal: Failure; open: () => void }) {
  const tests = (refusal.params['tests'] ?? []) as Refusing[];
  return (
    <section class="publish-refusal" role="alert">
      <p>{t('publish.refused')}</p>
      <ul>
        {tests.map((each) => (
          <li key={each.testId}>
            <Badge
              tone={each.state === 'stale' ? 'amber' : 'red'}
              icon={each.state === 'stale' ? 'triangle-alert' : 'circle-x'}>
              {t(each.state === 'stale' ? 'flowTests.state.stale' : 'flowTests.state.failed')}
            </Badge>
            <span>{each.name}</span>
          </li>
        ))}
      </ul>
      <div>
        <Button size="small" icon="flask-conical" more={{ 'data-open-tests': '' }} onClick={open}>
          {t('publish.openTests')}
        </Button>
      </div>
    </section>
  );
}
