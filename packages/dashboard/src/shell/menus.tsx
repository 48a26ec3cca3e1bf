import { Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { bodyOf, organization } from "../api/client.js";
import type { Me, OwnProject } from "../api/me.js";
import { t } from "../text/index.js";
import { Icon, type IconName } from "../ui/icon.js";
import { Mark } from "../ui/mark.js";
import { type Colours, useColours } from "./colours.js";
import styles from "./shell.module.css";

const about = ({ currency, is_sandbox }: OwnProject) =>
  [currency, is_sandbox ? t.frame.sandbox : ""].filter((one) => one !== "").join(" · ");

export function ProjectSwitcher({ me, project }: { me: Me; project: OwnProject | undefined }) {
  const shown = (
    <span>
      {project?.name ?? "Guerdon"}
      {project && <small>{about(project)}</small>}
    </span>
  );
  return (
    <Menu position="bottom-start" width={240} classNames={{ dropdown: styles.menu }}>
      <Menu.Target>
        <button type="button" className={`${styles.plain} ${styles.project}`}>
          <Mark />
          <span className="visually-hidden">{t.frame.choose_project}: </span>
          {shown}
          <Icon name="selector" size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: "auto" }}>
        {me.projects.map((one) => (
          <Menu.Item
            key={one.id}
            component={Link}
            to={`/p/${one.id}`}
            rightSection={one.id === project?.id ? <Icon name="check" size={16} /> : null}
          >
            {one.name} <small style={{ color: "var(--ink-3)" }}>{about(one)}</small>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const choices: readonly [Colours, string, IconName][] = [
  ["auto", t.frame.as_system, "deviceDesktop"],
  ["light", t.frame.light, "sun"],
  ["dark", t.frame.dark, "moon"],
];

export const nameOf = ({ first_name, last_name, email }: Me) => `${first_name} ${last_name}`.trim() || email;
export const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word[0] ?? "")
    .slice(0, 2)
    .join("")
    .toUpperCase();

export function ProfileMenu({ me }: { me: Me }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { colours, choose } = useColours();
  const signOut = async () => {
    // Whatever the service says: nobody who asks to leave stays.
    await bodyOf(organization.DELETE("/dashboard/v1/session")).catch(() => undefined);
    queries.clear();
    await navigate({ to: "/sign-in", reloadDocument: true });
  };
  return (
    <Menu position="top-start" width={204} classNames={{ dropdown: styles.menu }}>
      <Menu.Target>
        <button type="button" className={`${styles.plain} ${styles.person}`}>
          <span className={styles.initials} aria-hidden="true">
            {initialsOf(nameOf(me))}
          </span>
          <span>{nameOf(me)}</span>
          <Icon name="dots" size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/me" leftSection={<Icon name="user" size={16} />}>
          {t.frame.profile}
        </Menu.Item>
        <Menu.Label>{t.frame.colours}</Menu.Label>
        {choices.map(([value, label, icon]) => (
          <Menu.Item
            key={value}
            leftSection={<Icon name={icon} size={16} />}
            rightSection={colours === value ? <Icon name="check" size={16} /> : null}
            onClick={() => choose(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="logout" size={16} />} onClick={() => void signOut()}>
          {t.frame.sign_out}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
