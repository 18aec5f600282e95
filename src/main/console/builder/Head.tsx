import { useEffect, useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Button } from '../base/components/Button';
import { FormDialog } from '../base/components/Dialog';
import { Badge } from '../base/components/States';
import { Icon } from '../base/components/Icon';
import { complain, say } from '../base/components/Toasts';
import { useCommands } from '../base/commands';
import { brand } from '../base/brand';
import { useMay } from '../base/permissions';
import { linkTo } from '../base/router';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { hasChanges, standing } from '../flows/model';
import { notSaved } from './builder';
import { useBuilder } from './context';
import { HeadMenu } from './HeadMenu';
import { Presence } from './Presence';
import { PublishButton } from './PublishButton';

export function Head() {
  const { builder, projectId } = useBuilder();
  const [discarding, setDiscarding] = useState(false);
  const mayWrite = useMay('WRITE_FLOW');
  const [test, testing] = useTestFlow();
  const { flow, version, undo, redo } = useStore(builder.store);
  const product = useStore(brand, (known) => known.name);
  useEffect(() => {
    document.title = `${version.displayName} · ${product}`;
  }, [version.displayName, product]);
  const stands = standing(flow);
  return (
    <header class="builder-head">
      <a class="button quiet icon-only" aria-label={t('builder.back')} {...linkTo(`/projects/${projectId}/flows`)}>
        <Icon name="arrow-left" />
      </a>
      <input
        class="ghost-input editor-name"
        aria-label={t('builder.name')}
        readOnly={!mayWrite}
        value={version.displayName}
        onInput={(event) =>
          event.currentTarget.value.trim() &&
          builder.perform({ type: 'CHANGE_NAME', request: { displayName: event.currentTarget.value } })
        }
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
      {stands === 'on' ? (
        <Badge tone="green" icon="circle-play">
          <span>{t('flows.status.on')}</span>
        </Badge>
      ) : stands === 'off' ? (
        <Badge tone="grey" icon="circle-pause">
          <span>{t('flows.status.off')}</span>
        </Badge>
      ) : (
        <Badge tone="grey" icon="circle-dashed">
          <span>{t('flows.status.unpublished')}</span>
        </Badge>
      )}
      {hasChanges(flow) ? (
        <span class="roomy-only">
          <Badge tone="amber" icon="pencil">
            {t('flows.status.changes')}
          </Badge>
        </span>
      ) : null}
      <SavedMark />
      <span class="spread" />
      <Presence />
      <span class="roomy-only row">
        <Button
          kind="quiet"
          icon="undo-2"
          needs="WRITE_FLOW"
          label={t('builder.undo')}
          shortcut="Ctrl+Z"
          disabled={undo.length === 0}
          onClick={() => builder.undo()}
        />
        <Button
          kind="quiet"
          icon="redo-2"
          needs="WRITE_FLOW"
          label={t('builder.redo')}
          shortcut="Ctrl+Y"
          disabled={redo.length === 0}
          onClick={() => builder.redo()}
        />
      </span>
      <HeadMenu test={test} discard={() => setDiscarding(true)} />
      <span class="wide-only">
        <Button icon="play" needs="WRITE_FLOW" busy={testing} more={{ 'data-test-flow': '' }} onClick={test}>
          {t('builder.test')}
        </Button>
      </span>
      <PublishButton />
      {discarding ? <DiscardDialog close={() => setDiscarding(false)} /> : null}
    </header>
  );
}

function useTestFlow(): [() => Promise<void>, boolean] {
  const { builder, testRun, projectId } = useBuilder();
  const [busy, setBusy] = useState(false);
  const test = async (): Promise<void> => {
    setBusy(true);
    if (!(await builder.settled())) {
      complain(notSaved());
      setBusy(false);
      return;
    }
    const run = await api('POST /v1/flow-runs/test', {
      body: { projectId, flowVersionId: builder.store.get().flow.version.id },
    });
    setBusy(false);
    if (run.ok) {
      testRun.set(run.value.id);
    } else {
      complain(run.failure);
    }
  };
  useCommands(
    [
      {
        id: 'builder-test',
        label: t('builder.test'),
        icon: 'play',
        needs: 'WRITE_FLOW',
        group: t('builder.group'),
        perform: () => test(),
      },
    ],
    [builder],
  );
  return [test, busy];
}

function DiscardDialog({ close }: { close: () => void }) {
  const { builder } = useBuilder();
  return (
    <FormDialog
      danger
      title={t('builder.discard.title')}
      submit={t('builder.discard')}
      onClose={close}
      perform={async () => {
        const versionId = builder.store.get().flow.publishedVersionId ?? '';
        const refusal = await builder.request({ type: 'USE_AS_DRAFT', request: { versionId } });
        if (!refusal) {
          say(t('builder.discarded'));
        }
        return refusal;
      }}>
      {() => <p>{t('builder.discard.text')}</p>}
    </FormDialog>
  );
}

const TICK_MS = 10_000;

function SavedMark() {
  const { builder } = useBuilder();
  const { saving, savedAt } = useStore(builder.store);
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  if (saving === 'offline') {
    return (
      <span class="saved-mark lost" role="status">
        <Icon name="unplug" size={14} />
        <span>{t('builder.saved.offline')}</span>
      </span>
    );
  }
  return (
    <span class="saved-mark" role="status" data-saving={saving}>
      {saving === 'saved' ? (
        <>
          <Icon name="check" size={14} />
          <span>{t('builder.saved', { ago: agoOf(savedAt) })}</span>
        </>
      ) : (
        <>
          <Icon name="loader-circle" size={14} />
          <span>{t('builder.saved.saving')}</span>
        </>
      )}
    </span>
  );
}

function agoOf(time: number): string {
  const seconds = Math.max(0, Math.round((Date.now() - time) / 1000));
  return seconds < 5
    ? t('builder.saved.now')
    : seconds < 90
      ? t('builder.saved.seconds', { count: seconds })
      : seconds < 5400
        ? t('builder.saved.minutes', { count: Math.round(seconds / 60) })
        : new Date(time).toLocaleDateString();
}
