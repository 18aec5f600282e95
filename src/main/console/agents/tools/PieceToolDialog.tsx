import { useEffect, useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { ComboField } from '../../base/components/Combobox';
import { FormDialog } from '../../base/components/Dialog';
import { complain } from '../../base/components/Toasts';
import { useQuery } from '../../base/query';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { PieceLogo } from '../../builder/canvas/PieceLogo';
import { loadPieces, pieceOf, summaries } from '../../builder/canvas/pieces';
import type { Piece } from '../../builder/properties';
import type { Connection } from '../../connections/model';
import { toolName, type ToolDialogProps } from '../model';

const CONNECTIONS_MAX = 100;

/** The agent fills in all inputs except the connection. */
export function PieceToolDialog({ projectId, taken, close, onTool }: ToolDialogProps) {
  const pieces = useStore(summaries, (all) => [...all.values()].filter((piece) => (piece.actions ?? 0) > 0));
  const [pieceName, setPieceName] = useState('');
  const [actionName, setActionName] = useState('');
  const [auth, setAuth] = useState('');
  useEffect(() => void loadPieces(projectId).then((failure) => failure && complain(failure)), [projectId]);
  const piece = useQuery<Piece | null>(`piece ${pieceName}`, async () =>
    pieceName ? await pieceOf(pieceName) : { ok: true, value: null },
  );
  const connections = useQuery<Connection[]>(`connections of ${pieceName}`, async (signal) => {
    if (pieceName === '') {
      return { ok: true, value: [] };
    }
    const page = await api('GET /v1/app-connections', {
      query: { projectId, pieceName, limit: CONNECTIONS_MAX },
      signal,
    });
    return page.ok ? { ok: true, value: page.value.data as Connection[] } : page;
  });
  const actions = Object.values(piece.value?.actions ?? {});
  const asksAuth = Boolean(piece.value?.auth);
  return (
    <FormDialog
      title={t('agents.tool.piece')}
      submit={t('platform.add')}
      onClose={close}
      disabled={actionName === '' || !piece.value || (asksAuth && auth === '')}
      perform={async () => {
        const predefinedInput = { fields: {}, ...(auth ? { auth: `{{connections['${auth}']}}` } : {}) };
        onTool({
          type: 'PIECE',
          toolName: toolName(`${pieceName.replace(/^.*piece-/, '')}-${actionName}`, taken),
          pieceMetadata: { pieceName, pieceVersion: piece.value!.version, actionName, predefinedInput },
        });
        return undefined;
      }}>
      {() => (
        <>
          <ComboField
            field="piece"
            label={t('agents.piece')}
            empty={t('oauthApps.choose')}
            value={pieceName}
            options={pieces.map((each) => ({ value: each.name, label: each.displayName }))}
            iconOf={(name) => <PieceLogo pieceName={name} size={16} />}
            onValue={(name) => {
              setPieceName(name);
              setActionName('');
              setAuth('');
            }}
          />
          {piece.value ? (
            <ComboField
              field="action"
              label={t('agents.action')}
              empty={t('agents.chooseAction')}
              value={actionName}
              onValue={setActionName}
              options={actions.map((each) => ({ value: each.name, label: each.displayName, about: each.description }))}
            />
          ) : null}
          {asksAuth ? (
            <ComboField
              field="connection"
              label={t('agents.connection')}
              empty={t('agents.chooseConnection')}
              value={auth}
              onValue={setAuth}
              help={connections.value?.length === 0 ? t('agents.noConnection') : undefined}
              options={(connections.value ?? []).map((each) => ({ value: each.externalId, label: each.displayName }))}
            />
          ) : null}
        </>
      )}
    </FormDialog>
  );
}
