import { useEffect } from 'preact/hooks';
import { api, type Answer } from '../../base/api/client';
import { Notice } from '../../base/components/States';
import { useQuery, type Query } from '../../base/query';
import { linkTo } from '../../base/router';
import { t } from '../../base/text';

export type Publications = Answer<'GET /v1/projects/{id}/publications'>;

/** Polling interval while flows of a release are being published. */
const LOOK_MS = 3_000;

export function usePublications(projectId: string): Query<Publications> {
  const query = useQuery<Publications>(`publications ${projectId}`, (signal) =>
    api('GET /v1/projects/{id}/publications', { path: { id: projectId }, signal }),
  );
  const isPending = (query.value?.pending.length ?? 0) > 0 && !query.loading;
  useEffect(() => {
    if (!isPending) {
      return undefined;
    }
    const timer = setTimeout(query.reload, LOOK_MS);
    return () => clearTimeout(timer);
  }, [isPending]);
  return query;
}

export function Unpublished({ projectId, publications }: { projectId: string; publications: Query<Publications> }) {
  const { value, failure } = publications;
  const link = (flow: Publications['failed'][number]) => (
    <a {...linkTo(`/projects/${projectId}/flows/${flow.flowId}`)}>{flow.displayName}</a>
  );
  return (
    <>
      {failure ? <Notice failure={failure} /> : null}
      {value && value.failed.length > 0 ? (
        <Notice tone="red">
          <strong>{t('releases.failed')}</strong>
          <ul>
            {value.failed.map((flow) => (
              <li key={flow.flowId} data-failed={flow.flowId}>
                {link(flow)}: {flow.message}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {value && value.pending.length > 0 ? (
        <Notice tone="blue">
          <strong>{t('releases.pending')}</strong>
          <ul>
            {value.pending.map((flow) => (
              <li key={flow.flowId}>{link(flow)}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </>
  );
}
