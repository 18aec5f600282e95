import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { failure, type Failure } from '../../base/api/failure';
import { FormDialog } from '../../base/components/Dialog';
import { SelectField, TextField } from '../../base/components/Field';
import { t } from '../../base/text';
import { toolName, type ToolDialogProps } from '../model';

const PROTOCOLS = ['streamable-http', 'sse'] as const;
const WAYS = ['none', 'access_token', 'api_key'] as const;

/** Adds the tools of an external MCP server, after a test call to it. */
export function McpToolDialog({ projectId, taken, close, onTool }: ToolDialogProps) {
  const [serverUrl, setServerUrl] = useState('');
  const [protocol, setProtocol] = useState<(typeof PROTOCOLS)[number]>('streamable-http');
  const [way, setWay] = useState<(typeof WAYS)[number]>('none');
  const [key, setKey] = useState('');
  const [apiKeyHeader, setApiKeyHeader] = useState('X-Api-Key');
  const perform = async (): Promise<Failure | undefined> => {
    const auth =
      way === 'none'
        ? { type: way }
        : way === 'access_token'
          ? { type: way, accessToken: key }
          : { type: way, apiKey: key, apiKeyHeader };
    const name = toolName(serverUrl.replace(/^https?:\/\/([^/:]*).*$/, '$1'), taken);
    const tool = { type: 'MCP' as const, toolName: name, serverUrl: serverUrl.trim(), protocol, auth };
    const tried = await api('POST /v1/mcp/{projectId}/validate-agent-mcp-tool', { path: { projectId }, body: tool });
    if (!tried.ok) {
      return tried.failure;
    }
    if (tried.value.error !== null) {
      return failure('REFUSED', { message: tried.value.error });
    }
    onTool(tool);
    return undefined;
  };
  return (
    <FormDialog
      title={t('agents.tool.mcp')}
      submit={t('agents.tryAndAdd')}
      onClose={close}
      perform={perform}
      disabled={!/^https?:\/\/./.test(serverUrl.trim()) || (way !== 'none' && key === '')}>
      {(problems) => (
        <>
          <TextField
            label={t('agents.serverUrl')}
            value={serverUrl}
            onValue={setServerUrl}
            problem={problems['serverUrl']}
            control={{ name: 'serverUrl', type: 'url', placeholder: 'https://mcp.acme.example/mcp' }}
          />
          <SelectField
            label={t('agents.protocol')}
            value={protocol}
            onValue={(value) => setProtocol(value as typeof protocol)}
            options={PROTOCOLS.map((value) => ({ value, label: t(`agents.protocol.${value}`) }))}
          />
          <SelectField
            label={t('agents.way')}
            value={way}
            onValue={(value) => setWay(value as typeof way)}
            options={WAYS.map((value) => ({ value, label: t(`agents.way.${value}`) }))}
          />
          {way === 'none' ? null : (
            <TextField
              label={t(`agents.way.${way}`)}
              value={key}
              onValue={setKey}
              control={{ name: 'key', type: 'password', autocomplete: 'off' }}
            />
          )}
          {way === 'api_key' ? (
            <TextField
              label={t('ai.apiKeyHeader')}
              value={apiKeyHeader}
              onValue={setApiKeyHeader}
              control={{ name: 'apiKeyHeader', spellcheck: false }}
            />
          ) : null}
        </>
      )}
    </FormDialog>
  );
}
