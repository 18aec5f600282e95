import { api } from '../../base/api/client';
import { useQuery } from '../../base/query';
import { t } from '../../base/text';
import { Markdown } from '../fields/MarkdownField';

/**
 * Steps at the provider of a piece to get a client for OAuth; nothing if the server has none.
 *
 * @param withHint false where the page shows the help of the piece already
 */
export function SetupGuide({ pieceName, withHint = true }: { pieceName: string; withHint?: boolean }) {
  const setup = useQuery(`oauth setup ${pieceName}`, (signal) =>
    api('GET /v1/oauth-apps/setup', { query: { pieceName }, signal }),
  );
  if (!setup.value) {
    return null;
  }
  return (
    <details class="setup-guide" open={withHint}>
      <summary>{t('connect.guide')}</summary>
      <ol>
        {setup.value.guide.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {withHint && setup.value.hint ? (
        <div class="prose">
          <Markdown text={setup.value.hint} />
        </div>
      ) : null}
    </details>
  );
}
