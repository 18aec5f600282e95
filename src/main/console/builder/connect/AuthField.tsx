import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { ComboField } from '../../base/components/Combobox';
import { Notice } from '../../base/components/States';
import { useQuery } from '../../base/query';
import { t } from '../../base/text';
import { useBuilder } from '../context';
import type { Piece } from '../properties';
import { ConnectionDialog } from './ConnectionDialog';
import type { Connection } from './model';

const CONNECTIONS_MAX = 100;

const idOf = (value: string): string => /^\{\{\s*connections\[['"](.+?)['"]\]\s*\}\}$/.exec(value)?.[1] ?? '';

export function AuthField({
  piece,
  value,
  onValue,
}: {
  piece: Piece;
  value: string;
  onValue: (value: string) => void;
}) {
  const { projectId } = useBuilder();
  const [asking, setAsking] = useState(false);
  const known = useQuery(`connections ${projectId} ${piece.name}`, async (signal) => {
    const page = await api('GET /v1/app-connections', {
      query: { projectId, pieceName: piece.name, limit: CONNECTIONS_MAX },
      signal,
    });
    return page.ok ? { ok: true as const, value: page.value.data as Connection[] } : page;
  });
  const chosen = idOf(value);
  const connections = known.value ?? [];
  const missing = chosen !== '' && known.value !== undefined && !connections.some((each) => each.externalId === chosen);
  const broken = connections.find((each) => each.externalId === chosen && each.status !== 'ACTIVE');
  const use = (externalId: string): void => onValue(externalId ? `{{connections['${externalId}']}}` : '');
  return (
    <div class="auth-field">
      <ComboField
        field="connection"
        label={t('connect.label')}
        value={chosen}
        empty={t(connections.length === 0 ? 'connect.none' : 'field.nothing')}
        onValue={use}
        problem={missing ? t('connect.gone', { name: chosen }) : broken ? t('connect.broken') : undefined}
        options={[
          ...connections.map((each) => ({ value: each.externalId, label: each.displayName })),
          ...(missing ? [{ value: chosen, label: chosen }] : []),
        ]}
      />
      <div>
        <Button size="small" icon="plus" onClick={() => setAsking(true)}>
          {t('connect.new')}
        </Button>
      </div>
      {known.failure ? <Notice failure={known.failure} /> : null}
      {asking ? (
        <ConnectionDialog
          piece={piece}
          projectId={projectId}
          onClose={() => setAsking(false)}
          onMade={(connection) => {
            known.put((all) => [...all, connection]);
            known.reload();
            use(connection.externalId);
          }}
        />
      ) : null}
    </div>
  );
}
