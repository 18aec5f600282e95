import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { settle, type Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { FormDialog } from '../base/components/Dialog';
import { Checkbox, NameField } from '../base/components/Field';
import { useQuery } from '../base/query';
import { t } from '../base/text';
import type { Tool } from './model';
import type { CustomServer } from './selection';

interface Props {
  projectId: string;
  /** Server to change; a new one is created without it. */
  server: CustomServer | undefined;
  close: () => void;
  /** Receives the token of a new server. */
  saved: (token: string | undefined) => void;
}

export function ServerDialog({ projectId, server, close, saved }: Props) {
  const [displayName, setDisplayName] = useState(server?.displayName ?? '');
  const [allFlows, setAllFlows] = useState(server?.allFlows ?? true);
  const [flowIds, setFlowIds] = useState<readonly string[]>(server?.flowIds ?? []);
  const [tables, setTables] = useState(server?.tables ?? false);
  const [platformTools, setPlatformTools] = useState(server?.platformTools ?? false);
  const tools = useQuery<Tool[]>(`mcp tools ${projectId}`, (signal) =>
    api('GET /v1/mcp/{projectId}/tools', { path: { projectId }, signal }),
  );
  const flows = (tools.value ?? []).filter((tool) => tool.origin === 'FLOW');
  const choose = (flowId: string, on: boolean): void =>
    setFlowIds(on ? [...flowIds, flowId] : flowIds.filter((each) => each !== flowId));
  const perform = async (): Promise<Failure | undefined> => {
    const body = { displayName: displayName.trim(), allFlows, flowIds: [...flowIds], tables, platformTools };
    return server
      ? settle(await api('POST /v1/mcp/{projectId}/servers/{id}', { path: { projectId, id: server.id }, body }), () =>
          saved(undefined),
        )
      : settle(await reliably('POST /v1/mcp/{projectId}/servers', { path: { projectId }, body }), (issued) =>
          saved(issued.token),
        );
  };
  return (
    <FormDialog
      title={t(server ? 'mcp.editServer' : 'mcp.newServer')}
      submit={t(server ? 'base.save' : 'base.create')}
      onClose={close}
      perform={perform}
      disabled={displayName.trim() === ''}>
      {(problems) => (
        <>
          <NameField value={displayName} onValue={setDisplayName} problems={problems} lengthMax={100} />
          <fieldset class="ticks">
            <legend>{t('mcp.tools')}</legend>
            <Checkbox checked={allFlows} label={t('mcp.allFlows')} onChange={setAllFlows} />
            {allFlows
              ? null
              : flows.map((tool) => (
                  <Checkbox
                    key={tool.flowId}
                    checked={flowIds.includes(tool.flowId ?? '')}
                    label={tool.title}
                    onChange={(on) => choose(tool.flowId ?? '', on)}
                  />
                ))}
            <Checkbox checked={tables} label={t('mcp.tableTools')} onChange={setTables} />
            <Checkbox checked={platformTools} label={t('mcp.platformTools')} onChange={setPlatformTools} />
          </fieldset>
        </>
      )}
    </FormDialog>
  );
}
