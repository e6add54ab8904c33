// Made from the messages of sockets by `npm run generate`.

/** Channels, operations and components of the AsyncAPI document. */
export const socketsDescription = {
  "channels": {
    "zoneFeed": {
      "address": "/api/admin/ws/instances/{id}",
      "description": "One zone, live: its record, its blocks, its players. Accepts edits. Subprotocol `gatehouse.feed.v1`. The server sends `heartbeat` every 15 s. After 30 s of silence the connection is dead. Close codes: 1000 deleted, 1001 the node stops, 1008 the token ended or lost its permission, 1009 message too large. See docs/zone-feed.md.",
      "parameters": {
        "id": {
          "description": "The id of the zone."
        }
      },
      "bindings": {
        "ws": {
          "method": "GET",
          "headers": {
            "type": "object",
            "properties": {
              "Authorization": {
                "type": "string",
                "description": "`Bearer <token>`, where the client can set it."
              },
              "Sec-WebSocket-Protocol": {
                "type": "string",
                "description": "In browsers: `gatehouse.feed.v1, bearer.<token>`. The server selects `gatehouse.feed.v1`."
              }
            }
          },
          "bindingVersion": "0.1.0"
        }
      },
      "messages": {
        "zone": {
          "$ref": "#/components/messages/zoneFeed-zone"
        },
        "blocks": {
          "$ref": "#/components/messages/zoneFeed-blocks"
        },
        "playerEntered": {
          "$ref": "#/components/messages/zoneFeed-playerEntered"
        },
        "playerMoved": {
          "$ref": "#/components/messages/zoneFeed-playerMoved"
        },
        "playerLeft": {
          "$ref": "#/components/messages/zoneFeed-playerLeft"
        },
        "deleted": {
          "$ref": "#/components/messages/zoneFeed-deleted"
        },
        "result": {
          "$ref": "#/components/messages/zoneFeed-result"
        },
        "renewed": {
          "$ref": "#/components/messages/zoneFeed-renewed"
        },
        "error": {
          "$ref": "#/components/messages/zoneFeed-error"
        },
        "heartbeat": {
          "$ref": "#/components/messages/zoneFeed-heartbeat"
        },
        "resume": {
          "$ref": "#/components/messages/zoneFeed-resume"
        },
        "renew": {
          "$ref": "#/components/messages/zoneFeed-renew"
        },
        "edit": {
          "$ref": "#/components/messages/zoneFeed-edit"
        }
      }
    },
    "worldFeed": {
      "address": "/api/admin/ws/worlds/{world}",
      "description": "A part of a world, live: players in view, changed map tiles, zones, chat, players who join and leave, and on request changed blocks. Subprotocol `gatehouse.feed.v1`. The server sends `heartbeat` every 15 s. After 30 s of silence the connection is dead. Close codes: 1000 deleted, 1001 the node stops, 1008 the token ended or lost its permission, 1009 message too large. See docs/world-feed.md.",
      "parameters": {
        "world": {
          "description": "The name of the world."
        }
      },
      "bindings": {
        "ws": {
          "method": "GET",
          "headers": {
            "type": "object",
            "properties": {
              "Authorization": {
                "type": "string",
                "description": "`Bearer <token>`, where the client can set it."
              },
              "Sec-WebSocket-Protocol": {
                "type": "string",
                "description": "In browsers: `gatehouse.feed.v1, bearer.<token>`. The server selects `gatehouse.feed.v1`."
              }
            }
          },
          "bindingVersion": "0.1.0"
        }
      },
      "messages": {
        "players": {
          "$ref": "#/components/messages/worldFeed-players"
        },
        "tiles": {
          "$ref": "#/components/messages/worldFeed-tiles"
        },
        "zones": {
          "$ref": "#/components/messages/worldFeed-zones"
        },
        "chat": {
          "$ref": "#/components/messages/worldFeed-chat"
        },
        "joined": {
          "$ref": "#/components/messages/worldFeed-joined"
        },
        "left": {
          "$ref": "#/components/messages/worldFeed-left"
        },
        "edits": {
          "$ref": "#/components/messages/worldFeed-edits"
        },
        "renewed": {
          "$ref": "#/components/messages/worldFeed-renewed"
        },
        "error": {
          "$ref": "#/components/messages/worldFeed-error"
        },
        "heartbeat": {
          "$ref": "#/components/messages/worldFeed-heartbeat"
        },
        "view": {
          "$ref": "#/components/messages/worldFeed-view"
        },
        "resume": {
          "$ref": "#/components/messages/worldFeed-resume"
        },
        "renew": {
          "$ref": "#/components/messages/worldFeed-renew"
        }
      }
    },
    "realtime": {
      "address": "/realtime",
      "description": "Players in the game, in protobuf or its JSON mapping. The first message is `connect` with a token. No subprotocol. The server sends a WebSocket ping every 15 s, and drops a client that sent nothing for 30 s after one. Close codes: 1000 left, 1001 going away, 1002 and 1007 invalid frame, 1008 invalid token, 1009 message too large, 1013 full. Of Gatehouse itself: 4001 displaced, 4002 protocol version, 4003 kicked or signed out, 4008 too slow, 4029 too many messages. See docs/protocol-notes.md.",
      "bindings": {
        "ws": {
          "method": "GET",
          "query": {
            "type": "object",
            "properties": {
              "world": {
                "type": "string",
                "description": "The name of a world. Absent: the active world."
              }
            }
          },
          "bindingVersion": "0.1.0"
        }
      },
      "messages": {
        "ServerMessage": {
          "$ref": "#/components/messages/realtime-ServerMessage"
        },
        "ClientMessage": {
          "$ref": "#/components/messages/realtime-ClientMessage"
        }
      }
    }
  },
  "operations": {
    "zoneFeed-send": {
      "action": "send",
      "channel": {
        "$ref": "#/channels/zoneFeed"
      },
      "messages": [
        {
          "$ref": "#/channels/zoneFeed/messages/zone"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/blocks"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/playerEntered"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/playerMoved"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/playerLeft"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/deleted"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/result"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/renewed"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/error"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/heartbeat"
        }
      ]
    },
    "zoneFeed-receive": {
      "action": "receive",
      "channel": {
        "$ref": "#/channels/zoneFeed"
      },
      "messages": [
        {
          "$ref": "#/channels/zoneFeed/messages/resume"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/renew"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/edit"
        }
      ]
    },
    "worldFeed-send": {
      "action": "send",
      "channel": {
        "$ref": "#/channels/worldFeed"
      },
      "messages": [
        {
          "$ref": "#/channels/worldFeed/messages/players"
        },
        {
          "$ref": "#/channels/worldFeed/messages/tiles"
        },
        {
          "$ref": "#/channels/worldFeed/messages/zones"
        },
        {
          "$ref": "#/channels/worldFeed/messages/chat"
        },
        {
          "$ref": "#/channels/worldFeed/messages/joined"
        },
        {
          "$ref": "#/channels/worldFeed/messages/left"
        },
        {
          "$ref": "#/channels/worldFeed/messages/edits"
        },
        {
          "$ref": "#/channels/worldFeed/messages/renewed"
        },
        {
          "$ref": "#/channels/worldFeed/messages/error"
        },
        {
          "$ref": "#/channels/worldFeed/messages/heartbeat"
        }
      ]
    },
    "worldFeed-receive": {
      "action": "receive",
      "channel": {
        "$ref": "#/channels/worldFeed"
      },
      "messages": [
        {
          "$ref": "#/channels/worldFeed/messages/view"
        },
        {
          "$ref": "#/channels/worldFeed/messages/resume"
        },
        {
          "$ref": "#/channels/worldFeed/messages/renew"
        }
      ]
    },
    "realtime-send": {
      "action": "send",
      "channel": {
        "$ref": "#/channels/realtime"
      },
      "messages": [
        {
          "$ref": "#/channels/realtime/messages/ServerMessage"
        }
      ]
    },
    "realtime-receive": {
      "action": "receive",
      "channel": {
        "$ref": "#/channels/realtime"
      },
      "messages": [
        {
          "$ref": "#/channels/realtime/messages/ClientMessage"
        }
      ]
    }
  },
  "components": {
    "schemas": {
      "protocol": {
        "schemaFormat": "application/vnd.google.protobuf;version=3",
        "schema": "// Messages between a game client and the real-time node, protocol version 1.\n//\n// A binary WebSocket frame has one ClientMessage or ServerMessage. A text frame has the same message in protobuf's JSON mapping.\n// Field numbers are never reused.\nsyntax = \"proto3\";\n\npackage gatehouse.v1;\n\nimport \"google/protobuf/struct.proto\";\n\nmessage ClientMessage {\n  oneof kind {\n    Connect connect = 1;\n    Move move = 2;\n    EditBlocks edit_blocks = 3;\n    Chat chat = 4;\n    Command command = 5;\n    Preferences preferences = 6;\n    ViewRadius view_radius = 7;\n    Ping ping = 8;\n    Disconnect disconnect = 9;\n    ModuleCall module_call = 10;\n  }\n}\n\nmessage ServerMessage {\n  oneof kind {\n    Welcome welcome = 1;\n    Chunk chunk = 2;\n    ChunkGone chunk_gone = 3;\n    Players players = 4;\n    BlocksChanged blocks_changed = 5;\n    EditResult edit_result = 6;\n    Correction correction = 7;\n    ChatMessage chat_message = 8;\n    CommandResult command_result = 9;\n    Notice notice = 10;\n    ZoneChanged zone_changed = 11;\n    PermissionsChanged permissions_changed = 12;\n    BlocksRegistry blocks_registry = 13;\n    ErrorReply error = 14;\n    Kick kick = 15;\n    Pong pong = 16;\n    ModuleReply module_reply = 17;\n    ModulePush module_push = 18;\n  }\n}\n\n// A place and a direction. Coordinates are in blocks, angles in degrees: yaw 0…360, pitch -90…90. Yaw 0 looks along +x, 90 along\n// +z.\nmessage Position {\n  double x = 1;\n  double y = 2;\n  double z = 3;\n  float yaw = 4;\n  float pitch = 5;\n}\n\n// The first message of every connection. The server expects it within 5 seconds. It has at most 8 KiB.\nmessage Connect {\n  // The token of a sign-in. Not required with a resume_token.\n  string token = 1;\n  uint32 protocol_version = 2;\n  // For the log of the server, at most 64 characters.\n  string client_name = 3;\n  // From the last Welcome. It can be used once.\n  optional string resume_token = 4;\n  // The first view radius, see ViewRadius. Default: the previous one if the session continues, otherwise the largest possible one.\n  optional uint32 view_radius = 5;\n}\n\n// The position that the client wants. `seq` never decreases. The server answers only a refusal, with Correction.\nmessage Move {\n  uint32 seq = 1;\n  double x = 2;\n  double y = 3;\n  double z = 4;\n  float yaw = 5;\n  float pitch = 6;\n}\n\n// A block and its new type. `type` is an id from Welcome.blocks; `air` removes the block.\nmessage BlockEdit {\n  sint32 x = 1;\n  sint32 y = 2;\n  sint32 z = 3;\n  string type = 4;\n}\n\n// 1 to 256 edits of different blocks within reach. The server applies all of them or none. The EditResult has the same `seq`.\nmessage EditBlocks {\n  uint32 seq = 1;\n  repeated BlockEdit edits = 2;\n}\n\n// A line of 1 to 512 characters for all players on all nodes. A text that begins with \"/\" is a command.\nmessage Chat {\n  // A label for clients, for example to show lines in a tab. All players get all lines of all channels: a channel is not private. 1 to\n  // 32 characters of a-z, 0-9 and \"-\". Default: global.\n  optional string channel = 1;\n  string text = 2;\n}\n\n// A command line: `/name arg \"quoted arg\"`. The CommandResult has the same `seq`.\nmessage Command {\n  uint32 seq = 1;\n  string text = 2;\n}\n\n// The settings of the player. Each field that is present replaces the stored value.\nmessage Preferences {\n  DisabledCommands disabled_commands = 1;\n}\n\nmessage DisabledCommands {\n  // The commands that the player switches off, without the slash.\n  repeated string names = 1;\n}\n\n// How far the player wants to see, in chunks: 0…16. The server may limit it further. With 0 the server sends no columns and generates\n// none for this player. That is for clients without terrain, such as chat bots.\nmessage ViewRadius {\n  uint32 chunks = 1;\n}\n\nmessage Ping {\n  uint32 nonce = 1;\n}\n\n// Leaves the game. The session cannot be resumed.\nmessage Disconnect {}\n\n// A message to a module of the server. The ModuleReply has the same `seq`.\nmessage ModuleCall {\n  uint32 seq = 1;\n  // The name of the module.\n  string module = 2;\n  // The name of the message, as the module declares it.\n  string name = 3;\n  // The parameters, as JSON in UTF-8: at most 8 KiB. Empty means `{}`.\n  bytes body = 4;\n}\n\n// The session has started. Discard everything that you know about other players and columns.\nmessage Welcome {\n  string player_id = 1;\n  string display_name = 2;\n  repeated string groups = 3;\n  Position position = 4;\n  World world = 5;\n  // Ticks per second.\n  uint32 tick_rate = 6;\n  // In chunks.\n  uint32 view_radius = 7;\n  repeated BlockType blocks = 8;\n  repeated CommandInfo commands = 9;\n  // A secret that resumes this session after a lost connection. It can be used once.\n  string resume_token = 10;\n  string server_version = 11;\n  // How long the server keeps a session after its connection is lost, in seconds.\n  uint32 resume_seconds = 12;\n  // The message of the day (`realtime.motd`). Absent if there is none.\n  optional string motd = 13;\n  // Active grants of the player. They add to the groups of the player until they end.\n  repeated SessionGrant grants = 14;\n  // True if the player has the permission world.fly; otherwise absent. A client that draws a body lets the player fly.\n  optional bool may_fly = 16;\n  // The largest view radius in chunks. The server limits ViewRadius to it.\n  optional uint32 view_radius_max = 17;\n  // How many messages this connection may send. An administrator may change the limits while the connection lasts.\n  MessageLimits limits = 18;\n  // The size of the body and its usual speeds, so that all clients move alike.\n  Movement movement = 19;\n}\n\n// The budget of messages of a connection. It starts at `burst` and refills by `messages_per_second` each second, up to `burst`. Each\n// message takes its cost: Move, Ping, Disconnect and WebSocket pings 1, Chat 3, Preferences 4, ViewRadius and Connect 5. An EditBlocks\n// that the budget cannot pay for is refused with `busy`. Any other such message closes the connection with 4029, except within a second\n// of a refused edit. A message that costs more than `burst` takes the whole budget.\nmessage MessageLimits {\n  uint32 messages_per_second = 1;\n  uint32 burst = 2;\n  // The cost of an EditBlocks with up to 15 edits. Each further 16 edits cost 1 more.\n  uint32 edit_cost = 3;\n  // The cost of a Command. A Chat that begins with \"/\" costs as much as any Chat.\n  uint32 command_cost = 4;\n}\n\n// The body of a player and how it moves by default. Distances are in blocks, speeds in blocks per second. The server does not move\n// players: a client moves its player and sends Move. The server checks the size of the body and an upper limit of speed. The limit is\n// 22 across and 80 up or down, with a reserve of half a second.\nmessage Movement {\n  // In blocks per second squared, downwards.\n  double gravity = 1;\n  double walk_speed = 2;\n  double run_speed = 3;\n  // Only with Welcome.may_fly.\n  double fly_speed = 4;\n  // How high the feet rise in a jump.\n  double jump_height = 5;\n  // The position is in the middle of the body, at the feet. Along x and z the body reaches half of this to each side.\n  double body_width = 6;\n  double body_height = 7;\n}\n\nmessage World {\n  string name = 1;\n}\n\n// A group or a permission that an account has for a time or at a place.\nmessage SessionGrant {\n  string id = 1;\n  // A grant has either `group` or `permission`.\n  optional string group = 2;\n  optional string permission = 3;\n  // The grant is limited to this world.\n  optional string world = 4;\n  // The grant is limited to the zone with this id.\n  optional string zone = 5;\n  // When the grant ends, in ISO 8601. Absent if it does not end.\n  optional string until = 6;\n}\n\nmessage BlockType {\n  // The number of the block in palettes. It does not change while the connection lasts. It is not the position in the list, because\n  // numbers may be missing.\n  uint32 index = 1;\n  string id = 2;\n  // 0xRRGGBB.\n  uint32 colour = 3;\n  bool solid = 4;\n  // True for the block that replaces blocks with an unknown id; otherwise absent. The server refuses edits to this type.\n  optional bool placeholder = 5;\n  // The name that people see, from blocks.yaml.\n  optional string name = 6;\n}\n\n// A command that this session may run.\nmessage CommandInfo {\n  string name = 1;\n  string usage = 2;\n  string description = 3;\n}\n\n// A column of 16×16 blocks, 256 high. It replaces the previous data of that column.\nmessage Chunk {\n  sint32 cx = 1;\n  sint32 cz = 2;\n  // The sections that are not all air, ordered by y.\n  repeated Section sections = 3;\n}\n\n// 16×16×16 blocks.\nmessage Section {\n  // 0 to 15. 0 is the lowest.\n  uint32 y = 1;\n  // Indexes of block types, see BlockType.index.\n  repeated uint32 palette = 2;\n  // The width of one entry of `data` in bits: 0, 1, 2, 4, 8 or 16. If it is 0, there is no data, and every block is palette[0].\n  uint32 bits = 3;\n  // 4,096 entries. Entry y * 256 + z * 16 + x is the position in the palette of the block at x, y, z. The lowest bits of a byte\n  // come first; 16-bit entries are little-endian.\n  bytes data = 4;\n}\n\n// The column left the view. The client receives no more changes of it.\nmessage ChunkGone {\n  sint32 cx = 1;\n  sint32 cz = 2;\n}\n\n// Blocks of columns in view have changed.\nmessage BlocksChanged {\n  repeated BlockEdit edits = 1;\n  // The playerId of the player who made the change. Empty if the server made it.\n  string by = 2;\n}\n\n// The answer to EditBlocks. `ok` is true only after the edits are durable. If visible edits cannot be stored, the server undoes\n// them and sends BlocksChanged with the actual blocks.\nmessage EditResult {\n  uint32 seq = 1;\n  bool ok = 2;\n  // Why the edits were refused. Empty if `ok`.\n  // - invalid: No edits, more than 256, two of the same block, or a position outside the world.\n  // - unknown-block: A type that is not in Welcome.blocks, or the placeholder `unknown`.\n  // - missing-permission: Followed by \": \" and the permission; for a zone also by ` in zone \"NAME\"`.\n  // - zone-rules: Followed by \": \", the rule of the zone and ` in zone \"NAME\"`.\n  // - out-of-reach: The nearest point of the block is more than 7 blocks from the eyes. The eyes are 1.62 above the feet.\n  // - not-loaded: The column is not in memory yet.\n  // - occupied: A player is in the place of a solid block.\n  // - zones-unknown: The server has not read the zones yet. Try again in a moment.\n  // - busy: Too many edits wait to be stored, or the budget in Welcome.limits cannot pay for the edits. Try again in a moment. The\n  //   server closes the connection with 4029 after 10 seconds of such edits without a pause, or hundreds at once.\n  // - storage-full, unavailable: The edits cannot be stored at the moment.\n  // - lease-lost: Another node runs this world.\n  // - module-rules: A module of the server refuses. Followed by \": \" and the module, and \": \" and its reason. See `refused_by`.\n  // - module-failed: A module failed to decide. Followed by \": \" and the module, and \": \" and the id of the fault. See `refused_by`.\n  string reason = 3;\n  // A path of the HTTP API that explains the refusal. Present only if the player may read explanations of permissions.\n  optional string explain = 4;\n  // The position in EditBlocks.edits of the first refused edit, from 0. Absent if `ok`, and if the reason concerns no single edit.\n  optional uint32 index = 5;\n  // With module-rules and module-failed: the module and a sentence for the player.\n  optional ModuleRefusal refused_by = 6;\n}\n\n// A refusal of a module, without codes.\nmessage ModuleRefusal {\n  // The name of the module.\n  string module = 1;\n  // The reason of the module, in a sentence for the player. If the module failed: that it failed, and the id of the fault.\n  string text = 2;\n}\n\n// The changes in view in one tick. Apply `gone`, then `appeared`, then `cells`. Skip entries with an unknown ref.\nmessage Players {\n  uint32 tick = 1;\n  repeated CellMoves cells = 2;\n  repeated Appeared appeared = 3;\n  repeated uint32 gone = 4;\n}\n\n// A square of the world, 64 blocks wide. Its corner is at x * 64, z * 64.\nmessage Cell {\n  sint32 x = 1;\n  sint32 z = 2;\n}\n\nmessage CellMoves {\n  Cell cell = 1;\n  // Entries of 10 bytes, little-endian:\n  // - ref: u16.\n  // - x, y, z: u16 each, in 1/64 block from the corner of the cell and from y = 0.\n  // - yaw: u8, in 1/256 turn.\n  // - pitch: i8, in 1/256 turn.\n  bytes moved = 2;\n}\n\n// A player came into view or was renamed. `ref` identifies the player until it is in `gone`.\nmessage Appeared {\n  uint32 ref = 1;\n  string player_id = 2;\n  string display_name = 3;\n  Position position = 4;\n}\n\n// The actual position of the player. `seq` is that of the refused Move, or of the last Move.\nmessage Correction {\n  uint32 seq = 1;\n  Position position = 2;\n  // Why the server sends it.\n  // - too-fast: The Move was too long for the time since the previous one.\n  // - out-of-bounds: The position is outside the limits of the world.\n  // - blocked: A solid block is in the way.\n  // - edge: The land there is not generated yet. Wait at this position and try again. Until then the server skips Moves that lead\n  //   there and sends this once a second.\n  // - invalid: A value is not a finite number.\n  // - zone-closed: Only members may enter the zone there. See `closed`.\n  // - teleport: The player was moved. Continue from this position.\n  // - module-rules, module-failed: A module refused the move, or failed to decide. The form is that of EditResult.reason. See\n  //   `refused_by`.\n  string reason = 3;\n  // With zone-closed: the part of the zone that the player may not enter.\n  optional ClosedGround closed = 4;\n  // With module-rules and module-failed: the module and a sentence for the player.\n  optional ModuleRefusal refused_by = 5;\n}\n\n// One column of a zone that only members may enter, in blocks from y_min to y_max inclusive. Neighbouring columns may be in the\n// same zone. A player inside the zone, as of ZoneChanged, may move in it and leave it. The zone may open again, so do not keep this\n// for long.\nmessage ClosedGround {\n  string zone_id = 1;\n  string zone_name = 2;\n  sint32 cx = 3;\n  sint32 cz = 4;\n  uint32 y_min = 5;\n  uint32 y_max = 6;\n}\n\nmessage ChatMessage {\n  // See Chat.channel.\n  string channel = 1;\n  // The display name of the author. It is not an identity, because players can change it.\n  string from = 2;\n  string text = 3;\n  // The playerId of the author. Absent if the author is not a player, for example the console.\n  optional string from_id = 4;\n}\n\nmessage CommandResult {\n  uint32 seq = 1;\n  bool ok = 2;\n  string text = 3;\n  // The result as a value, for programs.\n  google.protobuf.Value data = 4;\n}\n\nmessage Notice {\n  // The importance of the notice.\n  // - info, warning, error: A client may show each in its own way.\n  string severity = 1;\n  string text = 2;\n  // The subject of the notice, for programs. Absent if there is none.\n  // - warning: A moderator warned the player.\n  // - message: A message of an admin to this player only.\n  // - whisper: A message of another player to this player, by /msg.\n  // - announcement: A message to all players on all nodes, or in one world or one zone.\n  // - zone: The greeting or farewell of a zone.\n  // - grant-ended: A grant of the player ended.\n  // - failed-sign-ins: Someone tried to sign in to the account of the player and failed.\n  optional string kind = 3;\n  // With kind whisper or message: the display name of the author. It is not an identity, because players can change it.\n  optional string from = 4;\n  // With kind whisper or message: the playerId of the author. Absent if it is unknown.\n  optional string from_id = 5;\n}\n\n// The block at the feet of the player is now in another zone, or in none. Disabled zones count as none. After Welcome the player is\n// in no zone until this message arrives. If `entered` has the id of the current zone and there is no `left`, the zone was renamed.\nmessage ZoneChanged {\n  optional EnteredZone entered = 1;\n  optional LeftZone left = 2;\n}\n\nmessage EnteredZone {\n  string id = 1;\n  string name = 2;\n}\n\nmessage LeftZone {\n  string id = 1;\n}\n\n// The groups, permissions or commands of this session may have changed. Both lists are complete.\nmessage PermissionsChanged {\n  repeated string groups = 1;\n  repeated CommandInfo commands = 2;\n  // See Welcome.may_fly.\n  optional bool may_fly = 16;\n}\n\n// The block types have changed. The complete list replaces Welcome.blocks. Existing types keep their index, and the client keeps\n// its columns. An id that was shown as `unknown` is known when the Chunk is sent again.\nmessage BlocksRegistry {\n  repeated BlockType blocks = 1;\n}\n\nmessage ErrorReply {\n  // - invalid-message: The frame is not a ClientMessage.\n  // - unknown-message: The frame has no message, or one of an unknown kind.\n  // - already-connected: The connection already has a session.\n  // - invalid-chat: The channel or the text of a Chat is invalid.\n  // - muted: The player is muted. See `reason` and `until`.\n  // - busy: Too many commands or chat lines at once. Try again in a moment.\n  // - unknown-command: Preferences names a command that does not exist.\n  // - password-sign-in-needed: Preferences needs a sign-in with the password or the identity provider.\n  // - service-unavailable: The preferences cannot be stored at the moment. Send them again.\n  string code = 1;\n  string message = 2;\n  optional uint32 seq = 3;\n  // With code muted: the reason of the mute.\n  optional string reason = 4;\n  // With code muted: when the mute ends, in ISO 8601 UTC. Absent if it does not end.\n  optional string until = 5;\n  // With code invalid-message: the path of the first invalid field, such as `editBlocks.edits[2].x`. Only for text frames.\n  optional string field = 6;\n}\n\n// The server closes the connection after this message.\nmessage Kick {\n  // Try again later:\n  // - going-away: The node stops, or gives its world to another node. See `resume_url`.\n  // - full: The node has no room for another player.\n  // - service-unavailable: The server cannot check the sign-in at the moment.\n  //\n  // Sign in again, or connect with a token instead of a resume token:\n  // - invalid-token: The token is malformed, expired or revoked.\n  // - invalid-resume: The session cannot be resumed.\n  // - sign-in-ended: The sign-in of this session has ended.\n  // - in-use: A verified sign-in of the account is in the game.\n  //\n  // Do not reconnect by yourself:\n  // - displaced: The account connected from another place.\n  // - kicked: An admin ended the session.\n  // - banned: The account or the address is banned. See `until`.\n  // - not-admitted: The player may not join this server.\n  // - account-removed: The account no longer exists.\n  //\n  // Fix the client:\n  // - protocol-version: The server does not support this version. See `protocol_version`.\n  // - connect-first: The first message was not Connect, or came too late.\n  // - message-too-large: A message is larger than the server allows.\n  // - too-many-messages: Too many messages in too short a time.\n  // - too-slow: The client does not read messages fast enough.\n  // - protocol-error, invalid-utf8: The frames break the WebSocket protocol.\n  string code = 1;\n  string reason = 2;\n  // Try again after this time.\n  optional uint32 retry_after_seconds = 3;\n  // With code protocol-version: the version that the server supports.\n  optional uint32 protocol_version = 4;\n  // With code going-away: the base address (http or https) of the node that now has the session. Append /realtime, and connect with\n  // the resume_token of the last Welcome.\n  optional string resume_url = 5;\n  // With resume_url: how long to wait before the connection, so that clients do not all connect at once.\n  optional uint32 retry_after_ms = 6;\n  // With code banned: when the ban ends, in ISO 8601 UTC. Absent if it does not end. `reason` is the reason of the ban.\n  optional string until = 7;\n}\n\n// The answer to a ModuleCall. It may come some ticks later. Calls may be answered in another order.\nmessage ModuleReply {\n  uint32 seq = 1;\n  bool ok = 2;\n  // The reply of the module, as JSON in UTF-8. Empty without `ok`, and for messages without a reply.\n  bytes body = 3;\n  // Why the call was refused. Empty if `ok`.\n  // - invalid-message: The body is not JSON, is larger than 8 KiB, or does not fit the schema of the message. See `pointer`.\n  // - unknown-message: The server has no such module, or the module has no such message.\n  // - module-rules: The module refuses. `reason` says why.\n  // - module-failed: The module failed. `reason` has an id that is also in the log of the server.\n  // - forbidden: The player lacks the permission that `reason` names.\n  // - busy: Too many calls of this player wait for their replies. Try again in a moment.\n  string code = 4;\n  // A sentence for people.\n  string reason = 5;\n  // With code invalid-message: a JSON Pointer into the body. Absent if the body is not JSON.\n  optional string pointer = 6;\n}\n\n// A message of a module, as it declares it.\nmessage ModulePush {\n  string module = 1;\n  string name = 2;\n  // As JSON in UTF-8.\n  bytes body = 3;\n}\n\nmessage Pong {\n  uint32 nonce = 1;\n  // Milliseconds since the Unix epoch.\n  double server_time = 2;\n}\n"
      }
    },
    "messages": {
      "zoneFeed-zone": {
        "name": "zone",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "zone",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "zone",
              "type": "string"
            },
            "zone": {
              "additionalProperties": false,
              "type": "object",
              "required": [
                "id",
                "name",
                "world",
                "yMin",
                "yMax",
                "chunks",
                "enabled",
                "clipPlanes",
                "shortcutBarPages",
                "owner",
                "createdAt",
                "updatedAt"
              ],
              "properties": {
                "id": {
                  "format": "uuid",
                  "type": "string"
                },
                "name": {
                  "type": "string"
                },
                "world": {
                  "pattern": "^[A-Za-z0-9_-]{1,64}$",
                  "type": "string"
                },
                "yMin": {
                  "minimum": 0,
                  "maximum": 255,
                  "type": "integer"
                },
                "yMax": {
                  "minimum": 0,
                  "maximum": 255,
                  "type": "integer"
                },
                "chunks": {
                  "minItems": 1,
                  "maxItems": 4096,
                  "type": "array",
                  "items": {
                    "additionalProperties": false,
                    "type": "object",
                    "required": [
                      "cx",
                      "cz"
                    ],
                    "properties": {
                      "cx": {
                        "minimum": -1875000,
                        "maximum": 1874999,
                        "type": "integer"
                      },
                      "cz": {
                        "minimum": -1875000,
                        "maximum": 1874999,
                        "type": "integer"
                      }
                    }
                  }
                },
                "enabled": {
                  "type": "boolean"
                },
                "clipPlanes": {
                  "additionalProperties": false,
                  "type": "object",
                  "required": [
                    "x",
                    "y",
                    "z"
                  ],
                  "properties": {
                    "x": {
                      "additionalProperties": false,
                      "type": "object",
                      "required": [
                        "enabled",
                        "flipped",
                        "pos"
                      ],
                      "properties": {
                        "enabled": {
                          "type": "boolean"
                        },
                        "flipped": {
                          "type": "boolean"
                        },
                        "pos": {
                          "type": "number"
                        }
                      }
                    },
                    "y": {
                      "additionalProperties": false,
                      "type": "object",
                      "required": [
                        "enabled",
                        "flipped",
                        "pos"
                      ],
                      "properties": {
                        "enabled": {
                          "type": "boolean"
                        },
                        "flipped": {
                          "type": "boolean"
                        },
                        "pos": {
                          "type": "number"
                        }
                      }
                    },
                    "z": {
                      "additionalProperties": false,
                      "type": "object",
                      "required": [
                        "enabled",
                        "flipped",
                        "pos"
                      ],
                      "properties": {
                        "enabled": {
                          "type": "boolean"
                        },
                        "flipped": {
                          "type": "boolean"
                        },
                        "pos": {
                          "type": "number"
                        }
                      }
                    }
                  }
                },
                "shortcutBarPages": {
                  "maxItems": 10,
                  "type": "array",
                  "items": {
                    "maxItems": 10,
                    "type": "array",
                    "items": {
                      "anyOf": [
                        {
                          "minLength": 1,
                          "maxLength": 64,
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    }
                  }
                },
                "owner": {
                  "description": "The playerId of the owner, initially of the account that created the zone.",
                  "type": "string"
                },
                "createdAt": {
                  "format": "date-time",
                  "type": "string"
                },
                "updatedAt": {
                  "format": "date-time",
                  "type": "string"
                },
                "rules": {
                  "additionalProperties": false,
                  "description": "Default: build `permission`, enter `everyone`.",
                  "type": "object",
                  "required": [
                    "build",
                    "enter"
                  ],
                  "properties": {
                    "build": {
                      "anyOf": [
                        {
                          "const": "permission",
                          "type": "string"
                        },
                        {
                          "const": "members",
                          "type": "string"
                        },
                        {
                          "const": "everyone",
                          "type": "string"
                        },
                        {
                          "const": "nobody",
                          "type": "string"
                        }
                      ]
                    },
                    "enter": {
                      "anyOf": [
                        {
                          "const": "everyone",
                          "type": "string"
                        },
                        {
                          "const": "members",
                          "type": "string"
                        }
                      ]
                    },
                    "greeting": {
                      "minLength": 1,
                      "maxLength": 200,
                      "type": "string"
                    },
                    "farewell": {
                      "minLength": 1,
                      "maxLength": 200,
                      "type": "string"
                    }
                  }
                },
                "members": {
                  "maxItems": 200,
                  "description": "PlayerIds, at most 200; absent: none.",
                  "type": "array",
                  "items": {
                    "minLength": 1,
                    "maxLength": 64,
                    "type": "string"
                  }
                },
                "opensAt": {
                  "format": "date-time",
                  "type": "string"
                },
                "closesAt": {
                  "format": "date-time",
                  "type": "string"
                },
                "expiresAt": {
                  "format": "date-time",
                  "type": "string"
                },
                "hours": {
                  "minItems": 1,
                  "maxItems": 21,
                  "examples": [
                    [
                      {
                        "days": [
                          "fri",
                          "sat"
                        ],
                        "from": "18:00",
                        "to": "23:00"
                      }
                    ]
                  ],
                  "description": "Outside these hours the zone is inactive. Default: always open. If `to` is at or before `from`, the hours end on the next day. If summer time skips a local time, the next one counts. A local time that occurs twice counts once.",
                  "type": "array",
                  "items": {
                    "additionalProperties": false,
                    "type": "object",
                    "required": [
                      "days",
                      "from",
                      "to"
                    ],
                    "properties": {
                      "days": {
                        "minItems": 1,
                        "maxItems": 7,
                        "uniqueItems": true,
                        "description": "The days on which the hours begin.",
                        "type": "array",
                        "items": {
                          "anyOf": [
                            {
                              "const": "mon",
                              "type": "string"
                            },
                            {
                              "const": "tue",
                              "type": "string"
                            },
                            {
                              "const": "wed",
                              "type": "string"
                            },
                            {
                              "const": "thu",
                              "type": "string"
                            },
                            {
                              "const": "fri",
                              "type": "string"
                            },
                            {
                              "const": "sat",
                              "type": "string"
                            },
                            {
                              "const": "sun",
                              "type": "string"
                            }
                          ]
                        }
                      },
                      "from": {
                        "pattern": "^([01]\\d|2[0-3]):[0-5]\\d$",
                        "examples": [
                          "18:00"
                        ],
                        "type": "string"
                      },
                      "to": {
                        "pattern": "^([01]\\d|2[0-3]):[0-5]\\d$",
                        "examples": [
                          "18:00"
                        ],
                        "type": "string"
                      }
                    }
                  }
                },
                "timeZone": {
                  "pattern": "^[A-Za-z][A-Za-z0-9_+/-]{0,59}$",
                  "description": "IANA name of the time zone of `hours` and of a daily reset. Default: UTC.",
                  "examples": [
                    "Europe/Berlin"
                  ],
                  "type": "string"
                },
                "reset": {
                  "additionalProperties": false,
                  "type": "object",
                  "required": [
                    "snapshot",
                    "every"
                  ],
                  "properties": {
                    "snapshot": {
                      "format": "uuid",
                      "description": "The id of a snapshot of the zone.",
                      "type": "string"
                    },
                    "every": {
                      "pattern": "^(\\d{1,5}[smhdw]|day at ([01]\\d|2[0-3]):[0-5]\\d( [A-Za-z][A-Za-z0-9_+/-]{0,59})?)$",
                      "maxLength": 80,
                      "description": "How often: 10m to 52w, counted from when the node of the world reads the setting. Or daily: `day at 06:00` in the `timeZone` of the zone, `day at 06:00 Europe/Berlin` in another one.",
                      "examples": [
                        "1d",
                        "day at 06:00",
                        "day at 06:00 Europe/Berlin"
                      ],
                      "type": "string"
                    }
                  }
                },
                "ownerGone": {
                  "description": "The owner’s account was deleted. Assign a new owner.",
                  "const": true,
                  "type": "boolean"
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            },
            "reset": {
              "const": true,
              "type": "boolean"
            }
          }
        },
        "examples": [
          {
            "name": "zone",
            "payload": {
              "type": "zone",
              "zone": {
                "id": "0192f0a4-6b1d-7c3e-9a55-2f8d4c1e7b60",
                "name": "harbour",
                "world": "world",
                "yMin": 60,
                "yMax": 90,
                "chunks": [
                  {
                    "cx": 0,
                    "cz": 0
                  }
                ],
                "enabled": true,
                "clipPlanes": {
                  "x": {
                    "enabled": true,
                    "flipped": true,
                    "pos": 0
                  },
                  "y": {
                    "enabled": true,
                    "flipped": true,
                    "pos": 0
                  },
                  "z": {
                    "enabled": true,
                    "flipped": true,
                    "pos": 0
                  }
                },
                "shortcutBarPages": [
                  [
                    "stone"
                  ]
                ],
                "owner": "owner",
                "createdAt": "2026-11-27T12:00:00.000Z",
                "updatedAt": "2026-11-27T12:00:00.000Z"
              },
              "seq": 0
            }
          }
        ]
      },
      "zoneFeed-blocks": {
        "name": "blocks",
        "payload": {
          "additionalProperties": false,
          "examples": [
            {
              "type": "blocks",
              "edits": [
                {
                  "x": 3,
                  "y": 64,
                  "z": 9,
                  "type": "stone",
                  "was": "air"
                }
              ],
              "by": "3f0c7a52-6d0e-4f0a-9b61-2f6a1f1f7c11",
              "seq": 1795194577056001
            }
          ],
          "type": "object",
          "required": [
            "type",
            "edits",
            "by",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "blocks",
              "type": "string"
            },
            "edits": {
              "type": "array",
              "items": {
                "additionalProperties": false,
                "type": "object",
                "required": [
                  "x",
                  "y",
                  "z",
                  "type",
                  "was"
                ],
                "properties": {
                  "x": {
                    "type": "integer"
                  },
                  "y": {
                    "type": "integer"
                  },
                  "z": {
                    "type": "integer"
                  },
                  "type": {
                    "minLength": 1,
                    "maxLength": 64,
                    "type": "string"
                  },
                  "was": {
                    "description": "The type of the block before the change.",
                    "type": "string"
                  }
                }
              }
            },
            "by": {
              "type": "string"
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        },
        "examples": [
          {
            "name": "blocks",
            "payload": {
              "type": "blocks",
              "edits": [
                {
                  "x": 3,
                  "y": 64,
                  "z": 9,
                  "type": "stone",
                  "was": "air"
                }
              ],
              "by": "3f0c7a52-6d0e-4f0a-9b61-2f6a1f1f7c11",
              "seq": 1795194577056001
            }
          }
        ]
      },
      "zoneFeed-playerEntered": {
        "name": "playerEntered",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "playerId",
            "displayName",
            "position"
          ],
          "properties": {
            "type": {
              "const": "playerEntered",
              "type": "string"
            },
            "playerId": {
              "type": "string"
            },
            "displayName": {
              "type": "string"
            },
            "position": {
              "type": "object",
              "required": [
                "x",
                "y",
                "z",
                "yaw",
                "pitch"
              ],
              "properties": {
                "x": {
                  "type": "number"
                },
                "y": {
                  "type": "number"
                },
                "z": {
                  "type": "number"
                },
                "yaw": {
                  "type": "number"
                },
                "pitch": {
                  "type": "number"
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        },
        "examples": [
          {
            "name": "playerEntered",
            "payload": {
              "type": "playerEntered",
              "playerId": "playerId",
              "displayName": "Ada",
              "position": {
                "x": 0,
                "y": 64,
                "z": 0,
                "yaw": 0,
                "pitch": 0
              }
            }
          }
        ]
      },
      "zoneFeed-playerMoved": {
        "name": "playerMoved",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "playerId",
            "position",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "playerMoved",
              "type": "string"
            },
            "playerId": {
              "type": "string"
            },
            "position": {
              "type": "object",
              "required": [
                "x",
                "y",
                "z",
                "yaw",
                "pitch"
              ],
              "properties": {
                "x": {
                  "type": "number"
                },
                "y": {
                  "type": "number"
                },
                "z": {
                  "type": "number"
                },
                "yaw": {
                  "type": "number"
                },
                "pitch": {
                  "type": "number"
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        },
        "examples": [
          {
            "name": "playerMoved",
            "payload": {
              "type": "playerMoved",
              "playerId": "playerId",
              "position": {
                "x": 0,
                "y": 64,
                "z": 0,
                "yaw": 0,
                "pitch": 0
              },
              "seq": 0
            }
          }
        ]
      },
      "zoneFeed-playerLeft": {
        "name": "playerLeft",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "playerId",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "playerLeft",
              "type": "string"
            },
            "playerId": {
              "type": "string"
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        },
        "examples": [
          {
            "name": "playerLeft",
            "payload": {
              "type": "playerLeft",
              "playerId": "playerId",
              "seq": 0
            }
          }
        ]
      },
      "zoneFeed-deleted": {
        "name": "deleted",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "deleted",
              "type": "string"
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        },
        "examples": [
          {
            "name": "deleted",
            "payload": {
              "type": "deleted",
              "seq": 0
            }
          }
        ]
      },
      "zoneFeed-result": {
        "name": "result",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "ref",
            "ok",
            "applied",
            "rejected"
          ],
          "properties": {
            "type": {
              "const": "result",
              "type": "string"
            },
            "ref": {
              "minimum": -9007199254740991,
              "maximum": 9007199254740991,
              "type": "integer"
            },
            "ok": {
              "type": "boolean"
            },
            "applied": {
              "minimum": 0,
              "type": "integer"
            },
            "rejected": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "index",
                  "reason"
                ],
                "properties": {
                  "index": {
                    "minimum": 0,
                    "type": "integer"
                  },
                  "reason": {
                    "type": "string"
                  }
                }
              }
            },
            "reason": {
              "type": "string"
            }
          }
        },
        "examples": [
          {
            "name": "result",
            "payload": {
              "type": "result",
              "ref": 0,
              "ok": true,
              "applied": 0,
              "rejected": [
                {
                  "index": 0,
                  "reason": "Grief at the harbour."
                }
              ]
            }
          }
        ]
      },
      "zoneFeed-renewed": {
        "name": "renewed",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type"
          ],
          "properties": {
            "type": {
              "const": "renewed",
              "type": "string"
            },
            "expiresAt": {
              "format": "date-time",
              "description": "Absent for an API token that does not expire.",
              "type": "string"
            }
          }
        },
        "examples": [
          {
            "name": "renewed",
            "payload": {
              "type": "renewed"
            }
          }
        ]
      },
      "zoneFeed-error": {
        "name": "error",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "code",
            "message"
          ],
          "properties": {
            "type": {
              "const": "error",
              "type": "string"
            },
            "code": {
              "type": "string"
            },
            "message": {
              "type": "string"
            },
            "ref": {
              "minimum": -9007199254740991,
              "maximum": 9007199254740991,
              "type": "integer"
            }
          }
        },
        "examples": [
          {
            "name": "error",
            "payload": {
              "type": "error",
              "code": "code",
              "message": "message"
            }
          }
        ]
      },
      "zoneFeed-heartbeat": {
        "name": "heartbeat",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type"
          ],
          "properties": {
            "type": {
              "const": "heartbeat",
              "type": "string"
            }
          }
        },
        "examples": [
          {
            "name": "heartbeat",
            "payload": {
              "type": "heartbeat"
            }
          }
        ]
      },
      "zoneFeed-resume": {
        "name": "resume",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "since"
          ],
          "properties": {
            "type": {
              "const": "resume",
              "type": "string"
            },
            "since": {
              "minimum": 0,
              "type": "integer"
            }
          }
        },
        "examples": [
          {
            "name": "resume",
            "payload": {
              "type": "resume",
              "since": 0
            }
          }
        ]
      },
      "zoneFeed-renew": {
        "name": "renew",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "token"
          ],
          "properties": {
            "type": {
              "const": "renew",
              "type": "string"
            },
            "token": {
              "minLength": 1,
              "maxLength": 256,
              "type": "string"
            }
          }
        },
        "examples": [
          {
            "name": "renew",
            "payload": {
              "type": "renew",
              "token": "token"
            }
          }
        ]
      },
      "zoneFeed-edit": {
        "name": "edit",
        "payload": {
          "type": "object",
          "required": [
            "type",
            "ref",
            "edits"
          ],
          "properties": {
            "type": {
              "const": "edit",
              "type": "string"
            },
            "ref": {
              "minimum": -9007199254740991,
              "maximum": 9007199254740991,
              "type": "integer"
            },
            "edits": {
              "minItems": 1,
              "maxItems": 4096,
              "type": "array",
              "items": {
                "additionalProperties": false,
                "type": "object",
                "required": [
                  "x",
                  "y",
                  "z",
                  "type"
                ],
                "properties": {
                  "x": {
                    "type": "integer"
                  },
                  "y": {
                    "type": "integer"
                  },
                  "z": {
                    "type": "integer"
                  },
                  "type": {
                    "minLength": 1,
                    "maxLength": 64,
                    "type": "string"
                  }
                }
              }
            },
            "partial": {
              "type": "boolean"
            }
          }
        },
        "examples": [
          {
            "name": "edit",
            "payload": {
              "type": "edit",
              "ref": 0,
              "edits": [
                {
                  "x": 0,
                  "y": 64,
                  "z": 0,
                  "type": "stone"
                }
              ]
            }
          }
        ]
      },
      "worldFeed-players": {
        "name": "players",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "players",
            "gone",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "players",
              "type": "string"
            },
            "players": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "playerId",
                  "displayName",
                  "position"
                ],
                "properties": {
                  "playerId": {
                    "type": "string"
                  },
                  "displayName": {
                    "type": "string"
                  },
                  "position": {
                    "type": "object",
                    "required": [
                      "x",
                      "y",
                      "z",
                      "yaw",
                      "pitch"
                    ],
                    "properties": {
                      "x": {
                        "type": "number"
                      },
                      "y": {
                        "type": "number"
                      },
                      "z": {
                        "type": "number"
                      },
                      "yaw": {
                        "type": "number"
                      },
                      "pitch": {
                        "type": "number"
                      }
                    }
                  }
                }
              }
            },
            "gone": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            },
            "reset": {
              "const": true,
              "type": "boolean"
            }
          }
        },
        "examples": [
          {
            "name": "players",
            "payload": {
              "type": "players",
              "players": [
                {
                  "playerId": "playerId",
                  "displayName": "Ada",
                  "position": {
                    "x": 0,
                    "y": 64,
                    "z": 0,
                    "yaw": 0,
                    "pitch": 0
                  }
                }
              ],
              "gone": [
                "gone"
              ],
              "seq": 0
            }
          }
        ]
      },
      "worldFeed-tiles": {
        "name": "tiles",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "tiles",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "tiles",
              "type": "string"
            },
            "tiles": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "zoom",
                  "tx",
                  "tz"
                ],
                "properties": {
                  "zoom": {
                    "minimum": 0,
                    "maximum": 5,
                    "type": "integer"
                  },
                  "tx": {
                    "type": "integer"
                  },
                  "tz": {
                    "type": "integer"
                  }
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            },
            "since": {
              "minimum": 0,
              "type": "integer"
            },
            "reset": {
              "const": true,
              "type": "boolean"
            }
          }
        },
        "examples": [
          {
            "name": "tiles",
            "payload": {
              "type": "tiles",
              "tiles": [
                {
                  "zoom": 0,
                  "tx": 0,
                  "tz": 0
                }
              ],
              "seq": 0
            }
          }
        ]
      },
      "worldFeed-zones": {
        "name": "zones",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "zones",
            "gone",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "zones",
              "type": "string"
            },
            "zones": {
              "type": "array",
              "items": {
                "additionalProperties": false,
                "type": "object",
                "required": [
                  "id",
                  "name",
                  "world",
                  "yMin",
                  "yMax",
                  "chunks",
                  "enabled",
                  "owner"
                ],
                "properties": {
                  "id": {
                    "format": "uuid",
                    "type": "string"
                  },
                  "name": {
                    "type": "string"
                  },
                  "world": {
                    "pattern": "^[A-Za-z0-9_-]{1,64}$",
                    "type": "string"
                  },
                  "yMin": {
                    "minimum": 0,
                    "maximum": 255,
                    "type": "integer"
                  },
                  "yMax": {
                    "minimum": 0,
                    "maximum": 255,
                    "type": "integer"
                  },
                  "chunks": {
                    "minItems": 1,
                    "maxItems": 4096,
                    "type": "array",
                    "items": {
                      "additionalProperties": false,
                      "type": "object",
                      "required": [
                        "cx",
                        "cz"
                      ],
                      "properties": {
                        "cx": {
                          "minimum": -1875000,
                          "maximum": 1874999,
                          "type": "integer"
                        },
                        "cz": {
                          "minimum": -1875000,
                          "maximum": 1874999,
                          "type": "integer"
                        }
                      }
                    }
                  },
                  "enabled": {
                    "type": "boolean"
                  },
                  "owner": {
                    "description": "The playerId of the owner, initially of the account that created the zone.",
                    "type": "string"
                  },
                  "opensAt": {
                    "format": "date-time",
                    "type": "string"
                  },
                  "closesAt": {
                    "format": "date-time",
                    "type": "string"
                  },
                  "expiresAt": {
                    "format": "date-time",
                    "type": "string"
                  },
                  "hours": {
                    "minItems": 1,
                    "maxItems": 21,
                    "examples": [
                      [
                        {
                          "days": [
                            "fri",
                            "sat"
                          ],
                          "from": "18:00",
                          "to": "23:00"
                        }
                      ]
                    ],
                    "description": "Outside these hours the zone is inactive. Default: always open. If `to` is at or before `from`, the hours end on the next day. If summer time skips a local time, the next one counts. A local time that occurs twice counts once.",
                    "type": "array",
                    "items": {
                      "additionalProperties": false,
                      "type": "object",
                      "required": [
                        "days",
                        "from",
                        "to"
                      ],
                      "properties": {
                        "days": {
                          "minItems": 1,
                          "maxItems": 7,
                          "uniqueItems": true,
                          "description": "The days on which the hours begin.",
                          "type": "array",
                          "items": {
                            "anyOf": [
                              {
                                "const": "mon",
                                "type": "string"
                              },
                              {
                                "const": "tue",
                                "type": "string"
                              },
                              {
                                "const": "wed",
                                "type": "string"
                              },
                              {
                                "const": "thu",
                                "type": "string"
                              },
                              {
                                "const": "fri",
                                "type": "string"
                              },
                              {
                                "const": "sat",
                                "type": "string"
                              },
                              {
                                "const": "sun",
                                "type": "string"
                              }
                            ]
                          }
                        },
                        "from": {
                          "pattern": "^([01]\\d|2[0-3]):[0-5]\\d$",
                          "examples": [
                            "18:00"
                          ],
                          "type": "string"
                        },
                        "to": {
                          "pattern": "^([01]\\d|2[0-3]):[0-5]\\d$",
                          "examples": [
                            "18:00"
                          ],
                          "type": "string"
                        }
                      }
                    }
                  },
                  "timeZone": {
                    "pattern": "^[A-Za-z][A-Za-z0-9_+/-]{0,59}$",
                    "description": "IANA name of the time zone of `hours` and of a daily reset. Default: UTC.",
                    "examples": [
                      "Europe/Berlin"
                    ],
                    "type": "string"
                  },
                  "reset": {
                    "additionalProperties": false,
                    "type": "object",
                    "required": [
                      "snapshot",
                      "every"
                    ],
                    "properties": {
                      "snapshot": {
                        "format": "uuid",
                        "description": "The id of a snapshot of the zone.",
                        "type": "string"
                      },
                      "every": {
                        "pattern": "^(\\d{1,5}[smhdw]|day at ([01]\\d|2[0-3]):[0-5]\\d( [A-Za-z][A-Za-z0-9_+/-]{0,59})?)$",
                        "maxLength": 80,
                        "description": "How often: 10m to 52w, counted from when the node of the world reads the setting. Or daily: `day at 06:00` in the `timeZone` of the zone, `day at 06:00 Europe/Berlin` in another one.",
                        "examples": [
                          "1d",
                          "day at 06:00",
                          "day at 06:00 Europe/Berlin"
                        ],
                        "type": "string"
                      }
                    }
                  }
                }
              }
            },
            "gone": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            },
            "reset": {
              "const": true,
              "type": "boolean"
            }
          }
        },
        "examples": [
          {
            "name": "zones",
            "payload": {
              "type": "zones",
              "zones": [
                {
                  "id": "0192f0a4-6b1d-7c3e-9a55-2f8d4c1e7b60",
                  "name": "harbour",
                  "world": "world",
                  "yMin": 60,
                  "yMax": 90,
                  "chunks": [
                    {
                      "cx": 0,
                      "cz": 0
                    }
                  ],
                  "enabled": true,
                  "owner": "owner"
                }
              ],
              "gone": [
                "gone"
              ],
              "seq": 0
            }
          }
        ]
      },
      "worldFeed-chat": {
        "name": "chat",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "lines",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "chat",
              "type": "string"
            },
            "lines": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "at",
                  "channel",
                  "from",
                  "text"
                ],
                "properties": {
                  "at": {
                    "type": "string"
                  },
                  "channel": {
                    "type": "string"
                  },
                  "from": {
                    "type": "string"
                  },
                  "by": {
                    "type": "string"
                  },
                  "text": {
                    "type": "string"
                  }
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            },
            "reset": {
              "const": true,
              "type": "boolean"
            }
          }
        },
        "examples": [
          {
            "name": "chat",
            "payload": {
              "type": "chat",
              "lines": [
                {
                  "at": "at",
                  "channel": "channel",
                  "from": "stone",
                  "text": "The harbour opens at six."
                }
              ],
              "seq": 0
            }
          }
        ]
      },
      "worldFeed-joined": {
        "name": "joined",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "players",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "joined",
              "type": "string"
            },
            "players": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "playerId",
                  "displayName"
                ],
                "properties": {
                  "playerId": {
                    "type": "string"
                  },
                  "displayName": {
                    "type": "string"
                  }
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        },
        "examples": [
          {
            "name": "joined",
            "payload": {
              "type": "joined",
              "players": [
                {
                  "playerId": "playerId",
                  "displayName": "Ada"
                }
              ],
              "seq": 0
            }
          }
        ]
      },
      "worldFeed-left": {
        "name": "left",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "players",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "left",
              "type": "string"
            },
            "players": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "playerId",
                  "displayName"
                ],
                "properties": {
                  "playerId": {
                    "type": "string"
                  },
                  "displayName": {
                    "type": "string"
                  }
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        },
        "examples": [
          {
            "name": "left",
            "payload": {
              "type": "left",
              "players": [
                {
                  "playerId": "playerId",
                  "displayName": "Ada"
                }
              ],
              "seq": 0
            }
          }
        ]
      },
      "worldFeed-edits": {
        "name": "edits",
        "payload": {
          "additionalProperties": false,
          "examples": [
            {
              "type": "edits",
              "edits": [
                {
                  "x": 3,
                  "y": 64,
                  "z": 9,
                  "type": "stone",
                  "was": "air",
                  "by": "3f0c7a52-6d0e-4f0a-9b61-2f6a1f1f7c11",
                  "via": "game"
                },
                {
                  "x": 4,
                  "y": 64,
                  "z": 9,
                  "type": "air",
                  "was": "grass",
                  "via": "game"
                }
              ],
              "seq": 1795194577056007
            }
          ],
          "type": "object",
          "required": [
            "type",
            "edits",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "edits",
              "type": "string"
            },
            "edits": {
              "type": "array",
              "items": {
                "additionalProperties": false,
                "type": "object",
                "required": [
                  "x",
                  "y",
                  "z",
                  "type",
                  "was",
                  "via"
                ],
                "properties": {
                  "x": {
                    "type": "integer"
                  },
                  "y": {
                    "type": "integer"
                  },
                  "z": {
                    "type": "integer"
                  },
                  "type": {
                    "minLength": 1,
                    "maxLength": 64,
                    "type": "string"
                  },
                  "was": {
                    "description": "The type of the block before the change.",
                    "type": "string"
                  },
                  "by": {
                    "description": "A playerId.",
                    "type": "string"
                  },
                  "via": {
                    "description": "The way of the change, as in the history.",
                    "anyOf": [
                      {
                        "const": "game",
                        "type": "string"
                      },
                      {
                        "const": "feed",
                        "type": "string"
                      },
                      {
                        "const": "command",
                        "type": "string"
                      },
                      {
                        "const": "rollback",
                        "type": "string"
                      },
                      {
                        "const": "restore",
                        "type": "string"
                      },
                      {
                        "const": "module",
                        "type": "string"
                      }
                    ]
                  }
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            },
            "reset": {
              "const": true,
              "type": "boolean"
            }
          }
        },
        "examples": [
          {
            "name": "edits",
            "payload": {
              "type": "edits",
              "edits": [
                {
                  "x": 3,
                  "y": 64,
                  "z": 9,
                  "type": "stone",
                  "was": "air",
                  "by": "3f0c7a52-6d0e-4f0a-9b61-2f6a1f1f7c11",
                  "via": "game"
                },
                {
                  "x": 4,
                  "y": 64,
                  "z": 9,
                  "type": "air",
                  "was": "grass",
                  "via": "game"
                }
              ],
              "seq": 1795194577056007
            }
          }
        ]
      },
      "worldFeed-renewed": {
        "name": "renewed",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type"
          ],
          "properties": {
            "type": {
              "const": "renewed",
              "type": "string"
            },
            "expiresAt": {
              "format": "date-time",
              "description": "Absent for an API token that does not expire.",
              "type": "string"
            }
          }
        },
        "examples": [
          {
            "name": "renewed",
            "payload": {
              "type": "renewed"
            }
          }
        ]
      },
      "worldFeed-error": {
        "name": "error",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "code",
            "message"
          ],
          "properties": {
            "type": {
              "const": "error",
              "type": "string"
            },
            "code": {
              "type": "string"
            },
            "message": {
              "type": "string"
            },
            "ref": {
              "minimum": -9007199254740991,
              "maximum": 9007199254740991,
              "type": "integer"
            }
          }
        },
        "examples": [
          {
            "name": "error",
            "payload": {
              "type": "error",
              "code": "code",
              "message": "message"
            }
          }
        ]
      },
      "worldFeed-heartbeat": {
        "name": "heartbeat",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type"
          ],
          "properties": {
            "type": {
              "const": "heartbeat",
              "type": "string"
            }
          }
        },
        "examples": [
          {
            "name": "heartbeat",
            "payload": {
              "type": "heartbeat"
            }
          }
        ]
      },
      "worldFeed-view": {
        "name": "view",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "minX",
            "minZ",
            "maxX",
            "maxZ"
          ],
          "properties": {
            "type": {
              "const": "view",
              "type": "string"
            },
            "minX": {
              "minimum": -100000000,
              "maximum": 100000000,
              "type": "number"
            },
            "minZ": {
              "minimum": -100000000,
              "maximum": 100000000,
              "type": "number"
            },
            "maxX": {
              "minimum": -100000000,
              "maximum": 100000000,
              "type": "number"
            },
            "maxZ": {
              "minimum": -100000000,
              "maximum": 100000000,
              "type": "number"
            },
            "edits": {
              "default": false,
              "description": "Whether to send changed blocks in view.",
              "type": "boolean"
            }
          }
        },
        "examples": [
          {
            "name": "view",
            "payload": {
              "type": "view",
              "minX": 0,
              "minZ": 0,
              "maxX": 0,
              "maxZ": 0
            }
          }
        ]
      },
      "worldFeed-resume": {
        "name": "resume",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "since"
          ],
          "properties": {
            "type": {
              "const": "resume",
              "type": "string"
            },
            "since": {
              "minimum": 0,
              "type": "integer"
            }
          }
        },
        "examples": [
          {
            "name": "resume",
            "payload": {
              "type": "resume",
              "since": 0
            }
          }
        ]
      },
      "worldFeed-renew": {
        "name": "renew",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "token"
          ],
          "properties": {
            "type": {
              "const": "renew",
              "type": "string"
            },
            "token": {
              "minLength": 1,
              "maxLength": 256,
              "type": "string"
            }
          }
        },
        "examples": [
          {
            "name": "renew",
            "payload": {
              "type": "renew",
              "token": "token"
            }
          }
        ]
      },
      "realtime-ServerMessage": {
        "name": "ServerMessage",
        "payload": {
          "$ref": "#/components/schemas/protocol"
        },
        "examples": [
          {
            "name": "welcome",
            "payload": {
              "welcome": {
                "playerId": "0192f0a4-6b1d-7c3e-9a55-2f8d4c1e7b60",
                "displayName": "Ada",
                "groups": [
                  "player"
                ],
                "position": {
                  "x": 8.5,
                  "y": 64,
                  "z": -3.25,
                  "yaw": 90,
                  "pitch": -45
                },
                "world": {
                  "name": "default"
                },
                "tickRate": 20,
                "viewRadius": 8,
                "blocks": [
                  {
                    "index": 0,
                    "id": "air",
                    "colour": 0,
                    "solid": false
                  },
                  {
                    "index": 1,
                    "id": "unknown",
                    "colour": 16711935,
                    "solid": true,
                    "placeholder": true
                  },
                  {
                    "index": 2,
                    "id": "stone",
                    "colour": 8355711,
                    "solid": true
                  },
                  {
                    "index": 5,
                    "id": "water",
                    "colour": 3364351,
                    "solid": false
                  }
                ],
                "commands": [
                  {
                    "name": "who",
                    "usage": "/who",
                    "description": "Lists the players."
                  }
                ],
                "resumeToken": "first-resume-token",
                "serverVersion": "",
                "resumeSeconds": 60,
                "viewRadiusMax": 8,
                "limits": {
                  "messagesPerSecond": 60,
                  "burst": 120,
                  "editCost": 4,
                  "commandCost": 4
                }
              }
            }
          },
          {
            "name": "chunk-one-kind",
            "payload": {
              "chunk": {
                "cx": -1,
                "cz": 2,
                "sections": [
                  {
                    "y": 3,
                    "palette": [
                      2
                    ],
                    "bits": 0,
                    "data": ""
                  }
                ]
              }
            }
          },
          {
            "name": "chunk-1-bit",
            "payload": {
              "chunk": {
                "cx": -1,
                "cz": 2,
                "sections": [
                  {
                    "y": 3,
                    "palette": [
                      2
                    ],
                    "bits": 0,
                    "data": ""
                  },
                  {
                    "y": 4,
                    "palette": [
                      0,
                      5
                    ],
                    "bits": 1,
                    "data": "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                  }
                ]
              }
            }
          },
          {
            "name": "chunk-2-bits",
            "payload": {
              "chunk": {
                "cx": 3,
                "cz": -4,
                "sections": [
                  {
                    "y": 0,
                    "palette": [
                      0,
                      1,
                      2,
                      3
                    ],
                    "bits": 2,
                    "data": "BwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgA=="
                  }
                ]
              }
            }
          },
          {
            "name": "chunk-4-bits",
            "payload": {
              "chunk": {
                "cx": 3,
                "cz": -4,
                "sections": [
                  {
                    "y": 0,
                    "palette": [
                      0,
                      1,
                      2,
                      3,
                      4,
                      5,
                      6,
                      7,
                      8,
                      9,
                      10,
                      11,
                      12,
                      13,
                      14,
                      15
                    ],
                    "bits": 4,
                    "data": "HwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACA="
                  }
                ]
              }
            }
          },
          {
            "name": "chunk-8-bits",
            "payload": {
              "chunk": {
                "cx": 3,
                "cz": -4,
                "sections": [
                  {
                    "y": 0,
                    "palette": [
                      0,
                      1,
                      2,
                      3,
                      4,
                      5,
                      6,
                      7,
                      8,
                      9,
                      10,
                      11,
                      12,
                      13,
                      14,
                      15,
                      16,
                      17,
                      18,
                      19,
                      20,
                      21,
                      22,
                      23,
                      24,
                      25,
                      26,
                      27,
                      28,
                      29,
                      30,
                      31,
                      32,
                      33,
                      34,
                      35,
                      36,
                      37,
                      38,
                      39,
                      40,
                      41,
                      42,
                      43,
                      44,
                      45,
                      46,
                      47,
                      48,
                      49,
                      50,
                      51,
                      52,
                      53,
                      54,
                      55,
                      56,
                      57,
                      58,
                      59,
                      60,
                      61,
                      62,
                      63,
                      64,
                      65,
                      66,
                      67,
                      68,
                      69,
                      70,
                      71,
                      72,
                      73,
                      74,
                      75,
                      76,
                      77,
                      78,
                      79,
                      80,
                      81,
                      82,
                      83,
                      84,
                      85,
                      86,
                      87,
                      88,
                      89,
                      90,
                      91,
                      92,
                      93,
                      94,
                      95,
                      96,
                      97,
                      98,
                      99,
                      100,
                      101,
                      102,
                      103,
                      104,
                      105,
                      106,
                      107,
                      108,
                      109,
                      110,
                      111,
                      112,
                      113,
                      114,
                      115,
                      116,
                      117,
                      118,
                      119,
                      120,
                      121,
                      122,
                      123,
                      124,
                      125,
                      126,
                      127,
                      128,
                      129,
                      130,
                      131,
                      132,
                      133,
                      134,
                      135,
                      136,
                      137,
                      138,
                      139,
                      140,
                      141,
                      142,
                      143,
                      144,
                      145,
                      146,
                      147,
                      148,
                      149,
                      150,
                      151,
                      152,
                      153,
                      154,
                      155,
                      156,
                      157,
                      158,
                      159,
                      160,
                      161,
                      162,
                      163,
                      164,
                      165,
                      166,
                      167,
                      168,
                      169,
                      170,
                      171,
                      172,
                      173,
                      174,
                      175,
                      176,
                      177,
                      178,
                      179,
                      180,
                      181,
                      182,
                      183,
                      184,
                      185,
                      186,
                      187,
                      188,
                      189,
                      190,
                      191,
                      192,
                      193,
                      194,
                      195,
                      196,
                      197,
                      198,
                      199,
                      200,
                      201,
                      202,
                      203,
                      204,
                      205,
                      206,
                      207,
                      208,
                      209,
                      210,
                      211,
                      212,
                      213,
                      214,
                      215,
                      216,
                      217,
                      218,
                      219,
                      220,
                      221,
                      222,
                      223,
                      224,
                      225,
                      226,
                      227,
                      228,
                      229,
                      230,
                      231,
                      232,
                      233,
                      234,
                      235,
                      236,
                      237,
                      238,
                      239,
                      240,
                      241,
                      242,
                      243,
                      244,
                      245,
                      246,
                      247,
                      248,
                      249,
                      250,
                      251,
                      252,
                      253,
                      254,
                      255
                    ],
                    "bits": 8,
                    "data": "/wEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAg=="
                  }
                ]
              }
            }
          },
          {
            "name": "chunk-16-bits",
            "payload": {
              "chunk": {
                "cx": 0,
                "cz": 0,
                "sections": [
                  {
                    "y": 15,
                    "palette": [
                      0,
                      1,
                      2,
                      3,
                      4,
                      5,
                      6,
                      7,
                      8,
                      9,
                      10,
                      11,
                      12,
                      13,
                      14,
                      15,
                      16,
                      17,
                      18,
                      19,
                      20,
                      21,
                      22,
                      23,
                      24,
                      25,
                      26,
                      27,
                      28,
                      29,
                      30,
                      31,
                      32,
                      33,
                      34,
                      35,
                      36,
                      37,
                      38,
                      39,
                      40,
                      41,
                      42,
                      43,
                      44,
                      45,
                      46,
                      47,
                      48,
                      49,
                      50,
                      51,
                      52,
                      53,
                      54,
                      55,
                      56,
                      57,
                      58,
                      59,
                      60,
                      61,
                      62,
                      63,
                      64,
                      65,
                      66,
                      67,
                      68,
                      69,
                      70,
                      71,
                      72,
                      73,
                      74,
                      75,
                      76,
                      77,
                      78,
                      79,
                      80,
                      81,
                      82,
                      83,
                      84,
                      85,
                      86,
                      87,
                      88,
                      89,
                      90,
                      91,
                      92,
                      93,
                      94,
                      95,
                      96,
                      97,
                      98,
                      99,
                      100,
                      101,
                      102,
                      103,
                      104,
                      105,
                      106,
                      107,
                      108,
                      109,
                      110,
                      111,
                      112,
                      113,
                      114,
                      115,
                      116,
                      117,
                      118,
                      119,
                      120,
                      121,
                      122,
                      123,
                      124,
                      125,
                      126,
                      127,
                      128,
                      129,
                      130,
                      131,
                      132,
                      133,
                      134,
                      135,
                      136,
                      137,
                      138,
                      139,
                      140,
                      141,
                      142,
                      143,
                      144,
                      145,
                      146,
                      147,
                      148,
                      149,
                      150,
                      151,
                      152,
                      153,
                      154,
                      155,
                      156,
                      157,
                      158,
                      159,
                      160,
                      161,
                      162,
                      163,
                      164,
                      165,
                      166,
                      167,
                      168,
                      169,
                      170,
                      171,
                      172,
                      173,
                      174,
                      175,
                      176,
                      177,
                      178,
                      179,
                      180,
                      181,
                      182,
                      183,
                      184,
                      185,
                      186,
                      187,
                      188,
                      189,
                      190,
                      191,
                      192,
                      193,
                      194,
                      195,
                      196,
                      197,
                      198,
                      199,
                      200,
                      201,
                      202,
                      203,
                      204,
                      205,
                      206,
                      207,
                      208,
                      209,
                      210,
                      211,
                      212,
                      213,
                      214,
                      215,
                      216,
                      217,
                      218,
                      219,
                      220,
                      221,
                      222,
                      223,
                      224,
                      225,
                      226,
                      227,
                      228,
                      229,
                      230,
                      231,
                      232,
                      233,
                      234,
                      235,
                      236,
                      237,
                      238,
                      239,
                      240,
                      241,
                      242,
                      243,
                      244,
                      245,
                      246,
                      247,
                      248,
                      249,
                      250,
                      251,
                      252,
                      253,
                      254,
                      255,
                      256,
                      257,
                      258,
                      259,
                      260,
                      261,
                      262,
                      263,
                      264,
                      265,
                      266,
                      267,
                      268,
                      269,
                      270,
                      271,
                      272,
                      273,
                      274,
                      275,
                      276,
                      277,
                      278,
                      279,
                      280,
                      281,
                      282,
                      283,
                      284,
                      285,
                      286,
                      287,
                      288,
                      289,
                      290,
                      291,
                      292,
                      293,
                      294,
                      295,
                      296,
                      297,
                      298,
                      299
                    ],
                    "bits": 16,
                    "data": "KwEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE="
                  }
                ]
              }
            }
          },
          {
            "name": "chunk-gone",
            "payload": {
              "chunkGone": {
                "cx": -1,
                "cz": 2
              }
            }
          },
          {
            "name": "players-appear",
            "payload": {
              "players": {
                "tick": 100,
                "appeared": [
                  {
                    "ref": 7,
                    "playerId": "0192f0a4-7777-7c3e-9a55-2f8d4c1e7b61",
                    "displayName": "Ben",
                    "position": {
                      "x": 8.5,
                      "y": 64,
                      "z": -3.25,
                      "yaw": 90,
                      "pitch": -45
                    }
                  },
                  {
                    "ref": 300,
                    "playerId": "0192f0a4-8888-7c3e-9a55-2f8d4c1e7b62",
                    "displayName": "Cid",
                    "position": {
                      "x": 0,
                      "y": 70,
                      "z": 0,
                      "yaw": 0,
                      "pitch": 0
                    }
                  }
                ]
              }
            }
          },
          {
            "name": "players-move",
            "payload": {
              "players": {
                "tick": 102,
                "cells": [
                  {
                    "cell": {
                      "x": 0,
                      "z": -1
                    },
                    "moved": "BwBgAgAQMA9A4AkAAQABAAEAAQE="
                  },
                  {
                    "cell": {
                      "x": -2,
                      "z": 3
                    },
                    "moved": "LAH/D8A/AQD/Pw=="
                  }
                ]
              }
            }
          },
          {
            "name": "players-gone",
            "payload": {
              "players": {
                "tick": 104,
                "appeared": [
                  {
                    "ref": 7,
                    "playerId": "0192f0a4-7777-7c3e-9a55-2f8d4c1e7b61",
                    "displayName": "Benedict",
                    "position": {
                      "x": 8.5,
                      "y": 64,
                      "z": -3.25,
                      "yaw": 90,
                      "pitch": -45
                    }
                  }
                ],
                "gone": [
                  300
                ]
              }
            }
          },
          {
            "name": "correction",
            "payload": {
              "correction": {
                "seq": 2,
                "position": {
                  "x": 8.5,
                  "y": 64,
                  "z": -3.25,
                  "yaw": 90,
                  "pitch": -45
                },
                "reason": "too-fast"
              }
            }
          },
          {
            "name": "blocks-changed",
            "payload": {
              "blocksChanged": {
                "edits": [
                  {
                    "x": 5,
                    "y": 63,
                    "z": 2,
                    "type": "air"
                  }
                ],
                "by": "0192f0a4-6b1d-7c3e-9a55-2f8d4c1e7b60"
              }
            }
          },
          {
            "name": "edit-stored",
            "payload": {
              "editResult": {
                "seq": 3,
                "ok": true,
                "reason": ""
              }
            }
          },
          {
            "name": "edit-refused",
            "payload": {
              "editResult": {
                "seq": 4,
                "ok": false,
                "reason": "unknown-block",
                "index": 0
              }
            }
          },
          {
            "name": "chat-message",
            "payload": {
              "chatMessage": {
                "channel": "global",
                "from": "Ada",
                "text": "héllo 🙂",
                "fromId": "0192f0a4-6b1d-7c3e-9a55-2f8d4c1e7b60"
              }
            }
          },
          {
            "name": "pong",
            "payload": {
              "pong": {
                "nonce": 4294967295,
                "serverTime": 1795780800000.5
              }
            }
          },
          {
            "name": "kick",
            "payload": {
              "kick": {
                "code": "going-away",
                "reason": "The server restarts.",
                "retryAfterMs": 1500
              }
            }
          },
          {
            "name": "welcome-resumed",
            "payload": {
              "welcome": {
                "playerId": "0192f0a4-6b1d-7c3e-9a55-2f8d4c1e7b60",
                "displayName": "Ada",
                "position": {
                  "x": 8.5,
                  "y": 64,
                  "z": -3.25,
                  "yaw": 90,
                  "pitch": -45
                },
                "world": {
                  "name": "default"
                },
                "tickRate": 20,
                "viewRadius": 0,
                "blocks": [
                  {
                    "index": 0,
                    "id": "air",
                    "colour": 0,
                    "solid": false
                  },
                  {
                    "index": 1,
                    "id": "unknown",
                    "colour": 16711935,
                    "solid": true,
                    "placeholder": true
                  },
                  {
                    "index": 2,
                    "id": "stone",
                    "colour": 8355711,
                    "solid": true
                  },
                  {
                    "index": 5,
                    "id": "water",
                    "colour": 3364351,
                    "solid": false
                  }
                ],
                "resumeToken": "second-resume-token",
                "serverVersion": "",
                "resumeSeconds": 0
              }
            }
          },
          {
            "name": "sample-command-result",
            "payload": {
              "commandResult": {
                "seq": 1,
                "ok": true,
                "text": "text",
                "data": {
                  "sample": true
                }
              }
            }
          },
          {
            "name": "sample-notice",
            "payload": {
              "notice": {
                "severity": "severity",
                "text": "text",
                "kind": "kind",
                "from": "from",
                "fromId": "fromId"
              }
            }
          },
          {
            "name": "sample-zone-changed",
            "payload": {
              "zoneChanged": {
                "entered": {
                  "id": "id",
                  "name": "name"
                },
                "left": {
                  "id": "id"
                }
              }
            }
          },
          {
            "name": "sample-permissions-changed",
            "payload": {
              "permissionsChanged": {
                "groups": [
                  "groups"
                ],
                "commands": [
                  {
                    "name": "name",
                    "usage": "usage",
                    "description": "description"
                  }
                ],
                "mayFly": true
              }
            }
          },
          {
            "name": "sample-blocks-registry",
            "payload": {
              "blocksRegistry": {
                "blocks": [
                  {
                    "index": 1,
                    "id": "id",
                    "colour": 3,
                    "solid": true,
                    "placeholder": true,
                    "name": "name"
                  }
                ]
              }
            }
          },
          {
            "name": "sample-error",
            "payload": {
              "error": {
                "code": "code",
                "message": "message",
                "seq": 3,
                "reason": "reason",
                "until": "until",
                "field": "field"
              }
            }
          },
          {
            "name": "sample-module-reply",
            "payload": {
              "moduleReply": {
                "seq": 1,
                "ok": true,
                "body": "AQID",
                "code": "code",
                "reason": "reason",
                "pointer": "pointer"
              }
            }
          },
          {
            "name": "sample-module-push",
            "payload": {
              "modulePush": {
                "module": "module",
                "name": "name",
                "body": "AQID"
              }
            }
          }
        ]
      },
      "realtime-ClientMessage": {
        "name": "ClientMessage",
        "payload": {
          "$ref": "#/components/schemas/protocol"
        },
        "examples": [
          {
            "name": "connect",
            "payload": {
              "connect": {
                "token": "ght_example",
                "protocolVersion": 1,
                "clientName": "python"
              }
            }
          },
          {
            "name": "move",
            "payload": {
              "move": {
                "seq": 1,
                "x": 8.7,
                "y": 64,
                "z": -3.25,
                "yaw": 359.5,
                "pitch": -1
              }
            }
          },
          {
            "name": "move-zeros",
            "payload": {
              "move": {
                "seq": 2,
                "x": 0,
                "y": 64,
                "z": 0,
                "yaw": 0,
                "pitch": 0
              }
            }
          },
          {
            "name": "edit-blocks",
            "payload": {
              "editBlocks": {
                "seq": 3,
                "edits": [
                  {
                    "x": -1,
                    "y": 64,
                    "z": -30000000,
                    "type": "stone"
                  },
                  {
                    "x": 5,
                    "y": 63,
                    "z": 2,
                    "type": "air"
                  }
                ]
              }
            }
          },
          {
            "name": "chat",
            "payload": {
              "chat": {
                "text": "héllo 🙂"
              }
            }
          },
          {
            "name": "command",
            "payload": {
              "command": {
                "seq": 5,
                "text": "/who"
              }
            }
          },
          {
            "name": "ping",
            "payload": {
              "ping": {
                "nonce": 4294967295
              }
            }
          },
          {
            "name": "connect-resume",
            "payload": {
              "connect": {
                "token": "",
                "protocolVersion": 1,
                "clientName": "python",
                "resumeToken": "first-resume-token",
                "viewRadius": 0
              }
            }
          },
          {
            "name": "disconnect",
            "payload": {
              "disconnect": {}
            }
          },
          {
            "name": "sample-preferences",
            "payload": {
              "preferences": {
                "disabledCommands": {
                  "names": [
                    "names"
                  ]
                }
              }
            }
          },
          {
            "name": "sample-view-radius",
            "payload": {
              "viewRadius": {
                "chunks": 1
              }
            }
          },
          {
            "name": "sample-module-call",
            "payload": {
              "moduleCall": {
                "seq": 1,
                "module": "module",
                "name": "name",
                "body": "AQID"
              }
            }
          }
        ]
      }
    },
    "securitySchemes": {
      "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "An API token, or the token of a verified sign-in, for feeds: in `Authorization`, or as the subprotocols `gatehouse.feed.v1` and `bearer.<token>`. Players send theirs in `connect`."
      }
    }
  }
}
