import { Button } from '../../base/components/Button';
import { t } from '../../base/text';
import type { Installable } from './installable';
import { useIsAdmin } from './InstallPiece';

/** Offers the npm package whose name was typed to administrators; other users read who can install it. */
export function InstallOffer({ piece, onChoose }: { piece: Installable; onChoose: (piece: Installable) => void }) {
  return useIsAdmin() ? (
    <div>
      <Button size="small" icon="download" more={{ 'data-npm': piece.name }} onClick={() => onChoose(piece)}>
        {t('install.npm', { name: piece.name })}
      </Button>
    </div>
  ) : (
    <p class="faint">{t('install.notListed')}</p>
  );
}
