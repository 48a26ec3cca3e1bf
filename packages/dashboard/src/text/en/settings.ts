/** Settings of a project. */
export const settings = {
  settings: {
    title: "Settings",
    general: "General",
    keys: "Keys",
    project: "Project",
    name: "Name",
    id: "Id",
    currency: "Currency",
    zone: "Time zone",
    kind: "Kind",
    live: "Live",
    your_role: "Your role",
  },
};
