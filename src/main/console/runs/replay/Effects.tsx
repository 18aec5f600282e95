import type { IconName } from '../../base/components/Icon';
import { Badge, Notice, Skeleton, type Tone } from '../../base/components/States';
import type { Query } from '../../base/query';
import { t } from '../../base/text';
import { placeOf } from '../steps';
import { iterationsOfCall, targetOf, type Effect, type EffectList } from './replay';

const looks: Record<Effect['answer'], { tone: Tone; icon: IconName }> = {
  performed: { tone: 'amber', icon: 'send' },
  recorded: { tone: 'grey', icon: 'history' },
  missing: { tone: 'red', icon: 'circle-alert' },
};

export function Effects({ list, title }: { list: Query<EffectList | undefined>; title: (name: string) => string }) {
  const found = list.value;
  return (
    <section class="replay-effects" aria-label={t('replay.effectsTitle')} aria-live="polite">
      <h3>{t('replay.effectsTitle')}</h3>
      {list.failure ? (
        <Notice failure={list.failure} />
      ) : !found ? (
        <Skeleton lines={2} />
      ) : (
        <>
          {found.effects.length === 0 ? (
            <p class="faint">{t('replay.nothing')}</p>
          ) : (
            <ul>
              {found.effects.map((effect) => (
                <Line key={effect.path} effect={effect} title={title} />
              ))}
            </ul>
          )}
          {found.unknownFrom ? (
            <Notice tone="amber">
              {t('replay.unknownFrom', {
                step: title(placeOf(found.unknownFrom.step).name),
                reason: found.unknownFrom.reason,
              })}
            </Notice>
          ) : null}
        </>
      )}
    </section>
  );
}

function Line({ effect, title }: { effect: Effect; title: (name: string) => string }) {
  const look = looks[effect.answer];
  const target = targetOf(effect);
  return (
    <li>
      <div class="replay-effect">
        <b>
          {title(effect.step)}
          {effect.path === effect.step ? null : <span class="faint"> {iterationsOfCall(effect, title)}</span>}
        </b>
        {target ? <span class="faint">{target}</span> : null}
        {effect.connections.length > 0 ? (
          <span class="faint">{t('replay.connections', { names: effect.connections.join(', ') })}</span>
        ) : null}
      </div>
      <Badge tone={look.tone} icon={look.icon}>
        {t(`replay.answer.${effect.answer}`)}
      </Badge>
    </li>
  );
}
