import { Panel } from '../../base/components/Panel';
import { Icon } from '../../base/components/Icon';
import { session, type User } from '../../base/session';
import { useStore } from '../../base/store';
import { t, type TextKey } from '../../base/text';
import { ago } from '../../base/time';

type Name = User['badges'][number]['name'];

const BADGES: readonly Name[] = [
  'first-build',
  'on-a-roll',
  'automation-addict',
  'cant-stop',
  'webhook-wizard',
  'agentic-genius',
  'coding-chad',
  'back-again',
  'victory',
];

export function Badges() {
  const own = useStore(session, (now) => (now.state === 'in' ? now.user.badges : []));
  return (
    <Panel title={t('badges.title')} text={t('badges.text')}>
      <ul class="badges">
        {BADGES.map((name) => {
          const awarded = own.find((badge) => badge.name === name);
          return (
            <li key={name} data-awarded={awarded !== undefined}>
              <Icon name={awarded ? 'award' : 'lock'} />
              <div>
                <strong>{t(`badges.${name}` as TextKey)}</strong>
                <span class="faint">
                  {awarded ? ago(awarded.created, Date.now()) : t(`badges.${name}.how` as TextKey)}
                </span>
              </div>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
