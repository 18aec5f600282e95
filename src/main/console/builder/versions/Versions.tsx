import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { FormDialog } from '../../base/components/Dialog';
import { Badge, Failed, Skeleton } from '../../base/components/States';
import { say } from '../../base/components/Toasts';
import { useQuery } from '../../base/query';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { moment } from '../../base/time';
import { useBuilder } from '../context';
import type { Step } from '../steps';
import { changesOf } from './diff';

interface VersionRow {
  id: string;
  created: string;
  updated: string;
  displayName: string;
  state: string;
  updatedByUser?: { firstName?: string; lastName?: string } | null;
}

const VERSIONS_MAX = 50;

export function Versions() {
  const { builder, focus } = useBuilder();
  const flow = useStore(builder.store, (now) => now.flow);
  const [shown, setShown] = useState<string>();
  const [asked, setAsked] = useState<VersionRow>();
  const versions = useQuery(
    `versions ${flow.id} ${flow.version.id} ${flow.publishedVersionId ?? ''}`,
    async (signal) => {
      const page = await api('GET /v1/flows/{id}/versions', {
        path: { id: flow.id },
        query: { limit: VERSIONS_MAX },
        signal,
      });
      return page.ok ? { ok: true as const, value: page.value.data as VersionRow[] } : page;
    },
  );
  return (
    <aside
      class="step-panel"
      aria-label={t('versions.title')}
      onKeyDown={(event) => event.key === 'Escape' && focus.update((now) => ({ ...now, side: 'none' }))}>
      <header class="panel-head">
        <h2 class="spread">{t('versions.title')}</h2>
        <Button
          kind="quiet"
          size="small"
          icon="x"
          label={t('base.close')}
          onClick={() => focus.update((now) => ({ ...now, side: 'none' }))}
        />
      </header>
      <div class="panel-body">
        {versions.failure ? <Failed failure={versions.failure} retry={versions.reload} /> : null}
        {versions.value ? null : <Skeleton lines={4} />}
        <ol class="versions">
          {versions.value?.map((row) => (
            <li key={row.id} class="version">
              <div class="row">
                <b class="cut">{moment(row.updated)}</b>
                <span class="spread" />
                {row.id === flow.publishedVersionId ? (
                  <Badge tone="green" icon="rocket">
                    {t('versions.published')}
                  </Badge>
                ) : row.state === 'DRAFT' ? (
                  <Badge tone="amber" icon="pencil">
                    {t('versions.draft')}
                  </Badge>
                ) : null}
              </div>
              <div class="faint">
                {row.displayName}
                {row.updatedByUser ? ` · ${row.updatedByUser.firstName ?? ''} ${row.updatedByUser.lastName ?? ''}` : ''}
              </div>
              {row.id === flow.version.id ? null : (
                <div class="row">
                  <Button
                    size="small"
                    kind="quiet"
                    icon={shown === row.id ? 'chevron-down' : 'chevron-right'}
                    more={{ 'aria-expanded': shown === row.id }}
                    onClick={() => setShown(shown === row.id ? undefined : row.id)}>
                    {t('versions.compare')}
                  </Button>
                  <Button size="small" kind="quiet" icon="rotate-ccw" needs="WRITE_FLOW" onClick={() => setAsked(row)}>
                    {t('versions.restore')}
                  </Button>
                </div>
              )}
              {shown === row.id ? <Differences versionId={row.id} /> : null}
            </li>
          ))}
        </ol>
      </div>
      {asked ? (
        <FormDialog
          danger
          title={t('versions.restoreTitle')}
          submit={t('versions.restore')}
          onClose={() => setAsked(undefined)}
          perform={async () => {
            const refusal = await builder.request({ type: 'USE_AS_DRAFT', request: { versionId: asked.id } });
            if (!refusal) {
              say(t('versions.restored'));
              versions.reload();
            }
            return refusal;
          }}>
          {() => <p>{t('versions.restoreText', { time: moment(asked.updated) })}</p>}
        </FormDialog>
      ) : null}
    </aside>
  );
}

function Differences({ versionId }: { versionId: string }) {
  const { builder } = useBuilder();
  const { flow, version } = useStore(builder.store);
  const old = useQuery(`version ${versionId}`, (signal) =>
    api('GET /v1/flows/{id}', { path: { id: flow.id }, query: { versionId }, signal }),
  );
  if (!old.value) {
    return old.failure ? <Failed failure={old.failure} /> : <Skeleton lines={2} />;
  }
  const changes = changesOf(old.value.version.trigger as Step, version.trigger);
  return changes.length === 0 ? (
    <p class="faint">{t('versions.same')}</p>
  ) : (
    <ul class="changes">
      {changes.map((change) => (
        <li key={change.name} class={`change ${change.kind}`}>
          <span>
            <b>{t(`versions.${change.kind}`)}</b> {change.displayName}
          </span>
          {change.parts.map((part) => (
            <div key={part.path} class="change-part">
              <span class="faint">{part.path}</span>
              {part.before ? <del>{part.before}</del> : null}
              {part.after ? <ins>{part.after}</ins> : null}
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}
