import { useState } from 'preact/hooks';
import type { Failure } from '../../base/api/failure';
import { DataTable, type Column } from '../../base/components/DataTable';
import { Switch } from '../../base/components/Field';
import { RowMenu } from '../../base/components/RowMenu';
import { Badge, Empty } from '../../base/components/States';
import { complain } from '../../base/components/Toasts';
import type { Query } from '../../base/query';
import { count, t } from '../../base/text';
import { PieceLogo } from '../../builder/canvas/PieceLogo';
import type { Platform } from '../usePlatform';
import { isOffered, offering, type Piece, type View } from './offer';
import type { Asked } from './PieceDialogs';
import { NAME_PREFIX } from './openapi/document';

/** Rows rendered at first; a server may offer several hundred pieces. */
const ROWS = 60;

interface Props {
  offer: Platform;
  change: (changes: Record<string, unknown>) => Promise<Failure | undefined>;
  pieces: Query<Piece[]>;
  typed: string;
  view: Exclude<View, 'requests'>;
  ask: (asked: Asked) => void;
}

export function PieceList({ offer, change, pieces, typed, view, ask }: Props) {
  const [shown, setShown] = useState(ROWS);
  const turn = async (piece: Piece, on: boolean): Promise<void> => {
    const failure = await change({ filteredPieceNames: offering(offer, piece.name, on) });
    if (failure) {
      complain(failure);
    }
  };
  const columns: Column<Piece>[] = [
    { key: 'name', title: t('flows.column.name'), cell: (piece) => <Name piece={piece} /> },
    {
      key: 'version',
      title: t('pieces.version'),
      width: '100px',
      wideOnly: true,
      cell: (piece) => <code>{piece.version}</code>,
    },
    {
      key: 'does',
      title: t('pieces.does'),
      width: '190px',
      wideOnly: true,
      cell: (piece) => (
        <span class="faint">
          {[
            piece.triggers ? count('pieces.triggers', piece.triggers) : '',
            piece.actions ? count('pieces.actions', piece.actions) : '',
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      ),
    },
    {
      key: 'offered',
      title: t('pieces.offered'),
      width: '88px',
      cell: (piece) => (
        <Switch
          on={isOffered(offer, piece.name)}
          label={t('pieces.offer', { name: piece.displayName })}
          onChange={(on) => void turn(piece, on)}
        />
      ),
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (piece) => (
        <RowMenu
          name={piece.displayName}
          groups={[
            {
              items: [
                ...(piece.installed === false
                  ? [
                      {
                        label: t('pieceRequests.install'),
                        icon: 'download' as const,
                        perform: () => ask({ what: 'install', piece }),
                      },
                    ]
                  : []),
                { label: t('pieces.versions'), icon: 'history', perform: () => ask({ what: 'versions', piece }) },
                { label: t('pieces.tags'), icon: 'tag', perform: () => ask({ what: 'tags', piece }) },
                ...(piece.name.startsWith(NAME_PREFIX)
                  ? [
                      {
                        label: t('openapi.upgrade'),
                        icon: 'file-json' as const,
                        perform: () => ask({ what: 'openapi', piece }),
                      },
                    ]
                  : []),
              ],
            },
            {
              items:
                piece.pieceType === 'CUSTOM'
                  ? [
                      {
                        label: t('pieces.remove'),
                        icon: 'trash-2',
                        danger: true,
                        perform: () => ask({ what: 'remove', piece }),
                      },
                    ]
                  : [],
            },
          ]}
        />
      ),
    },
  ];
  const rows = {
    ...pieces,
    ...(pieces.value ? { value: pieces.value.slice(0, shown) } : {}),
    ...((pieces.value?.length ?? 0) > shown ? { more: () => setShown(shown + ROWS) } : {}),
  };
  return (
    <DataTable
      label={t('pieces.title')}
      rows={rows}
      columns={columns}
      id={(piece) => piece.id}
      empty={
        <div class="card">
          {typed ? (
            <Empty icon="search" title={t('flows.none.title')} text={t('pieces.none', { text: typed })} />
          ) : (
            <Empty icon="layout-grid" title={t(`pieces.empty.${view}`)} text={t(`pieces.emptyText.${view}`)} />
          )}
        </div>
      }
    />
  );
}

function Name({ piece }: { piece: Piece }) {
  return (
    <div class="connection-name">
      <PieceLogo pieceName={piece.name} size={20} />
      <span class="connection-words">
        <strong class="cut">{piece.displayName}</strong>
        <span class="row faint">
          <span class="cut">{piece.name}</span>
          {piece.pieceType === 'CUSTOM' ? (
            <Badge tone="blue" icon="download">
              {t('pieces.installed')}
            </Badge>
          ) : null}
          {piece.available === false ? (
            <Badge tone="amber" icon="triangle-alert">
              {t('pieces.unavailable')}
            </Badge>
          ) : null}
          {(piece.tags ?? []).map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </span>
      </span>
    </div>
  );
}
