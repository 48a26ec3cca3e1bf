import type { ReactNode } from "react";
import { t } from "../../text/index.js";
import { Mark } from "../mark.js";
import styles from "./entrance.module.css";

const turns_of = (petals: number) => Array.from({ length: petals }, (_, turn) => (180 / petals) * turn);

/** The fine lines of a banknote: ellipses turned around one point. */
const Rosette = ({ rx, ry, petals }: { rx: number; ry: number; petals: number }) => (
  <>
    {turns_of(petals).map((turn) => (
      <ellipse key={turn} rx={rx} ry={ry} transform={`rotate(${turn})`} />
    ))}
  </>
);

/** The frame of the pages for whoever is not signed in: the form on the left, a card on the right. */
export const Entrance = ({ children, foot }: { children: ReactNode; foot?: ReactNode }) => (
  <div className={styles.split}>
    <main className={styles.left}>
      <div className={styles.brand}>
        <Mark size={28} />
        Guerdon
      </div>
      {children}
      <footer className={styles.foot}>{foot}</footer>
    </main>
    <div className={styles.right} aria-hidden="true">
      <svg
        aria-hidden="true"
        className={styles.rosette}
        viewBox="-420 -450 840 900"
        preserveAspectRatio="xMidYMid slice"
      >
        <g opacity="0.5">
          <Rosette rx={250} ry={122} petals={54} />
        </g>
        <g opacity="0.26">
          <Rosette rx={470} ry={265} petals={72} />
        </g>
        <g opacity="0.14">
          <Rosette rx={760} ry={480} petals={84} />
        </g>
      </svg>
      <div className={styles.card}>
        <dl>
          <dt>{t.sign_in.card}</dt>
          <dd>€50.00</dd>
          <p>GIFT-7KQM-X2TD</p>
          <small>{t.sign_in.valid}</small>
        </dl>
        <div className={styles.stub}>
          <svg aria-hidden="true" viewBox="-50 -50 100 100">
            <Rosette rx={47} ry={16} petals={18} />
          </svg>
        </div>
      </div>
    </div>
  </div>
);
