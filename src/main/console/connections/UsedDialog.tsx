import { api } from '../base/api/client';
import { Dialog } from '../base/components/Dialog';
import { Icon } from '../base/components/Icon';
import { Failed, Skeleton } from '../base/components/States';
import { useQuery } from '../base/query';
import { linkTo } from '../base/router';
import { t } from '../base/text';
import { walk, type Step } from '../builder/steps';
import type { Flow } from '../flows/model';
import type { Connection } from './model';

const FLOWS_MAX = 100;

export function UsedDialog({
  connection,
  projectId,
  close,
}: {
  connection: Connection;
  projectId: string;
  close: () => void;
}) {
  const flows = useQuery(`flows that use ${connection.id}`, async (signal) => {
    const page = await api('GET /v1/flows', {
      query: { projectId, limit: FLOWS_MAX, connectionExternalIds: [connection.externalId] },
      signal,
    });
    return page.ok ? { ok: true as const, value: page.value.data as Flow[] } : page;
  });
  return (
    <Dialog title={t('connections.usedTitle', { name: connection.displayName })} onClose={close}>
      <div class="body">
        {flows.failure ? <Failed failure={flows.failure} retry={flows.reload} /> : null}
        {flows.value ? null : <Skeleton lines={2} />}
        {flows.value?.length === 0 ? <p class="faint">{t('connections.usedNowhere')}</p> : null}
        <ul class="used">
          {flows.value?.map((flow) => (
            <li key={flow.id}>
              <a class="used-flow" {...linkTo(`/projects/${projectId}/flows/${flow.id}`)}>
                <Icon name="workflow" />
                {flow.version.displayName}
              </a>
              <ul>
                {stepsThatUse(flow.version.trigger as Step, connection.externalId).map((step) => (
                  <li key={step.name}>
                    <a class="faint" {...linkTo(`/projects/${projectId}/flows/${flow.id}?step=${step.name}`)}>
                      {step.displayName}
                    </a>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

const stepsThatUse = (trigger: Step, externalId: string): Step[] =>
  walk(trigger)
    .map(({ step }) => step)
    .filter((step) => JSON.stringify(step.settings.input ?? {}).includes(`connections['${externalId}']`));
