import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { ComboField } from '../../base/components/Combobox';
import { FormDialog } from '../../base/components/Dialog';
import { Notice } from '../../base/components/States';
import { useQuery } from '../../base/query';
import { t } from '../../base/text';
import type { McpServer } from '../../mcp/model';
import { toolName, type ToolDialogProps } from '../model';

/** The trigger of the flow declares the description and the parameters of the tool. */
export function FlowToolDialog({ projectId, taken, close, onTool }: ToolDialogProps) {
  const [id, setId] = useState('');
  const server = useQuery<McpServer>(`mcp ${projectId}`, (signal) =>
    api('GET /v1/mcp/{projectId}', { path: { projectId }, signal }),
  );
  const flows = server.value?.flows ?? [];
  return (
    <FormDialog
      title={t('agents.tool.flow')}
      submit={t('platform.add')}
      onClose={close}
      disabled={id === ''}
      perform={async () => {
        const flow = flows.find((each) => each.externalId === id)!;
        onTool({
          type: 'FLOW',
          toolName: toolName(flow.version.displayName, taken),
          externalFlowId: id,
          flowDisplayName: flow.version.displayName,
        });
        return undefined;
      }}>
      {() => (
        <>
          {server.failure ? (
            <Notice failure={server.failure} />
          ) : server.value && flows.length === 0 ? (
            <Notice tone="blue">{t('agents.noFlowTool')}</Notice>
          ) : null}
          <ComboField
            label={t('agents.tool.flow')}
            empty={t('templates.chooseFlow')}
            help={t('agents.flowToolHelp')}
            value={id}
            onValue={setId}
            options={flows.map((flow) => ({ value: flow.externalId, label: flow.version.displayName }))}
          />
        </>
      )}
    </FormDialog>
  );
}
