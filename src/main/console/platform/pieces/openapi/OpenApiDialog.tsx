import { useState } from 'preact/hooks';
import { api } from '../../../base/api/client';
import type { Failure } from '../../../base/api/failure';
import { Dialog } from '../../../base/components/Dialog';
import { t } from '../../../base/text';
import type { Piece } from '../offer';
import { ALL, installed, NAME_PREFIX, previousChoices, type Choices, type Report, type Source } from './document';
import { ReviewForm } from './ReviewForm';
import { SourceForm } from './SourceForm';
import { send } from './useDocument';

interface Props {
  /** Installed piece to upgrade. */
  piece?: Piece;
  close: () => void;
  changed: () => void;
}

interface Reading {
  source: Source;
  report: Report;
  first: Choices;
  /** Names of the actions of the installed version; undefined for a new piece. */
  before: string[] | undefined;
}

export function OpenApiDialog({ piece, close, changed }: Props) {
  const [reading, setReading] = useState<Reading>();
  const read = async (source: Source, baseUrl: string): Promise<Failure | undefined> => {
    const asked = { ...ALL, baseUrl, ...(piece ? { name: piece.name.slice(NAME_PREFIX.length) } : {}) };
    const answer = await send(source, asked, true);
    if (!answer.ok) {
      return answer.failure;
    }
    const report = answer.value;
    const previous = piece ? previousChoices(report) : {};
    const first = {
      ...asked,
      ...previous,
      baseUrl: baseUrl.trim() || previous.baseUrl || '',
      name: report.name.slice(NAME_PREFIX.length),
      displayName: report.displayName,
    };
    if (report.previousVersion === undefined) {
      setReading({ source, report, first, before: undefined });
      return undefined;
    }
    const [scope, name] = report.name.split('/') as [string, string];
    const known = await api('GET /v1/pieces/{scope}/{name}', { path: { scope, name } });
    if (!known.ok) {
      return known.failure;
    }
    const before = Object.keys(known.value.actions as Record<string, unknown>);
    // The same choices as for the first request if the installed version has all operations.
    const operations = installed(report.groups, before);
    const compared = await send(source, { ...first, operations }, true);
    if (!compared.ok) {
      return compared.failure;
    }
    setReading({ source, report: compared.value, first: { ...first, operations }, before });
    return undefined;
  };
  return (
    <Dialog
      title={piece ? t('openapi.upgradeTitle', { name: piece.displayName }) : t('openapi.title')}
      onClose={close}
      wide={720}>
      {reading ? (
        <ReviewForm
          source={reading.source}
          report={reading.report}
          first={reading.first}
          before={reading.before}
          back={() => setReading(undefined)}
          close={close}
          changed={changed}
        />
      ) : (
        <SourceForm read={read} close={close} />
      )}
    </Dialog>
  );
}
